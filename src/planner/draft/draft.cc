#include "planner/draft/draft.h"

#include <algorithm>

#include "schedule/step_facts.h"

namespace inkread {

void DraftStep::Read(int slot, const Pixels& pixels) {
  read_buffers[slot] = pixels.buffer;
  step.reads[slot] = {Space::kArena, pixels.offset, pixels.shape, pixels.ld};
}

void DraftStep::Write(int slot, const Pixels& pixels) {
  write_buffers[slot] = pixels.buffer;
  step.writes[slot] = {Space::kArena, pixels.offset, pixels.shape, pixels.ld};
}

void DraftStep::Weights(int slot, uint64_t offset_bytes, uint64_t num_words) {
  const uint32_t words = static_cast<uint32_t>(num_words);
  step.weights[slot] = {Space::kWeights, offset_bytes, {1, 1, 1, words}, words};
}

void DraftStep::SetFacts() {
  const StepFacts facts = FactsOf(step);
  rows = facts.rows;
  for (size_t i = 0; i < may_overwrite.size(); ++i)
    may_overwrite[i] = facts.reads[i].has_value() && facts.reads[i]->may_be_overwritten;
  multiply_adds = facts.multiply_adds;
}

bool DraftStep::Reads(int buffer) const {
  return std::find(read_buffers.begin(), read_buffers.end(), buffer) != read_buffers.end();
}

bool DraftStep::Writes(int buffer) const {
  return std::find(write_buffers.begin(), write_buffers.end(), buffer) != write_buffers.end();
}

}  // namespace inkread
