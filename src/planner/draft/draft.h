// A schedule in the making: its steps and the buffers of their operands, before any buffer has a place in memory. Plain
// data; draft/passes.h turns it into a Schedule.
#ifndef INKREAD_PLANNER_DRAFT_DRAFT_H_
#define INKREAD_PLANNER_DRAFT_DRAFT_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "planner/view.h"
#include "schedule/rows.h"
#include "schedule/schedule.h"

namespace inkread {

struct DraftBuffer {
  Space space = Space::kArena;
  Shape shape;
  bool is_whole = true;  // false: several steps write slices of it, as the producers of a Concat do
  uint32_t element = INKREAD_ELEMENT_F32;

  uint64_t num_elements() const { return shape.num_pixels() * shape.c; }
  uint64_t size_bytes() const { return num_elements() * ElementBytes(element); }
};

// A step whose operands name buffers. Slots are those of the kind's contract; -1: the operand is absent.
struct DraftStep {
  Step step;
  std::array<int, 3> read_buffers{-1, -1, -1};
  std::array<int, 2> write_buffers{-1, -1};

  void Read(int slot, const Pixels& pixels);
  void Write(int slot, const Pixels& pixels);
  void Weights(int slot, uint64_t offset_bytes, uint64_t num_words);

  // What the facts of the kind say of the step (schedule/step_facts.h). SetFacts() asks them once, when params and
  // epilogue are set; every pass asks for some of them.
  std::optional<RowRule> rows;          // absent where results are not made of rows
  std::array<bool, 3> may_overwrite{};  // by read
  uint64_t multiply_adds = 0;
  void SetFacts();

  bool Reads(int buffer) const;
  bool Writes(int buffer) const;
};

// Calls body(buffer, operand) for each operand that has a buffer, the reads first. Step: DraftStep, const or not.
template <typename Step, typename Body>
void ForEachOperand(Step& s, const Body& body) {
  for (size_t i = 0; i < s.read_buffers.size(); ++i) {
    if (s.read_buffers[i] >= 0) body(s.read_buffers[i], s.step.reads[i]);
  }
  for (size_t i = 0; i < s.write_buffers.size(); ++i) {
    if (s.write_buffers[i] >= 0) body(s.write_buffers[i], s.step.writes[i]);
  }
}

struct DraftSchedule {
  Schedule schedule;  // all but the steps and arena_bytes
  std::vector<DraftBuffer> buffers;
  // In an order in which they can run. Until BindElements an operand's offset_bytes counts elements from the start of
  // its buffer, then bytes; PlaceBuffers makes it an offset in the arena.
  std::vector<DraftStep> steps;
};

}  // namespace inkread

#endif  // INKREAD_PLANNER_DRAFT_DRAFT_H_
