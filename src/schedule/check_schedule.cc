// Checks a schedule against the facts of its steps (step_facts.h). Nothing is run.
#include <algorithm>
#include <numeric>
#include <set>

#include "schedule/schedule.h"
#include "schedule/step_facts.h"

namespace inkread {
namespace {

// The bytes that a step touches through an operand: from begin to end, of each row of ld bytes the first c.
struct Bytes {
  Space space;
  uint64_t begin, end;
  uint64_t ld, c;
};

Bytes BytesOf(const Operand& o) {
  const uint64_t size = ElementBytes(o.element);
  return {o.space, o.offset_bytes, o.offset_bytes + o.extent_bytes(), o.ld * size, o.shape.c * size};
}

Bytes BytesOf(const Operand& o, const std::optional<OperandFacts>& facts) {
  if (!facts || !facts->footprint) return BytesOf(o);
  const uint64_t size = ElementBytes(o.element);
  const Footprint& f = *facts->footprint;
  return {o.space, o.offset_bytes, o.offset_bytes + f.extent * size, f.ld * size, f.c * size};
}

bool Overlap(const Bytes& a, const Bytes& b) {
  if (a.space != b.space || a.begin == a.end || b.begin == b.end || a.end <= b.begin || b.end <= a.begin) return false;
  // Both are rows of a tensor whose ld is the greatest common divisor of theirs.
  const uint64_t ld = std::gcd(a.ld, b.ld);
  if (a.c > ld || b.c > ld) return true;
  // The column where b's columns begin, counted from a's first.
  const uint64_t start = b.begin >= a.begin ? (b.begin - a.begin) % ld : (ld - (a.begin - b.begin) % ld) % ld;
  return start < a.c || start + b.c > ld;
}

class Checker {
 public:
  explicit Checker(const Schedule& schedule) : schedule_(schedule) {}

  Status Run() {
    for (size_t i = 0; i < schedule_.steps.size(); ++i) {
      if (i > 0 && schedule_.steps[i].level < schedule_.steps[i - 1].level) return Fault(i, "its level runs backwards");
      INKREAD_RETURN_IF_ERROR(CheckStep(i));
    }
    INKREAD_RETURN_IF_ERROR(CheckBands());
    return CheckLevels();
  }

 private:
  struct Touched {
    std::vector<Bytes> reads, writes;
  };

  template <typename... Args>
  Status Fault(size_t index, const Args&... args) const {
    const Step& step = schedule_.steps[index];
    return Internal(schedule_.network, ": step ", index, " (", StepKindName(step.kind()), ", node '", step.node,
                    "'): ", args...);
  }

  uint64_t BlockBytes(Space space) const {
    switch (space) {
      case Space::kNone:
        return 0;
      case Space::kArena:
        return schedule_.arena_bytes;
      case Space::kWeights:
        return schedule_.weights_bytes;
      case Space::kInput:
        return schedule_.input.num_pixels() * schedule_.input.c * ElementBytes(schedule_.input_element);
      case Space::kOutput:
        return schedule_.output.num_pixels() * schedule_.output.c * 4;
    }
    return 0;
  }

  // Presence, alignment, block and bounds of one slot.
  Status CheckSlot(size_t index, const char* what, size_t slot, const Operand& o, bool wanted, const Bytes& bytes) {
    if (wanted != o.present()) return Fault(index, what, ' ', slot, wanted ? " is missing" : " must be absent");
    if (!wanted) return Status();
    if (o.offset_bytes % ElementBytes(o.element) != 0)
      return Fault(index, what, ' ', slot, " lies at ", o.offset_bytes, ", not a whole element");
    if (o.element >= INKREAD_NUM_ELEMENTS) return Fault(index, what, ' ', slot, " has unknown element ", o.element);
    const uint32_t outside = o.space == Space::kInput ? schedule_.input_element : INKREAD_ELEMENT_F32;
    if (o.space != Space::kArena && o.element != outside)
      return Fault(index, what, ' ', slot, " is not in the arena and not of its block's element");
    if (bytes.end > BlockBytes(o.space)) {
      return Fault(index, what, ' ', slot, " ends at byte ", bytes.end, " of a block of ", BlockBytes(o.space));
    }
    return Status();
  }

  Status CheckShape(size_t index, const char* what, size_t slot, const Operand& o, const OperandFacts& facts) {
    if (facts.footprint) return Status();
    if (o.shape.num_pixels() != facts.pixels || o.shape.c != facts.c) {
      return Fault(index, what, ' ', slot, " is ", o.shape.num_pixels(), " x ", o.shape.c, ", expected ", facts.pixels,
                   " x ", facts.c);
    }
    if (o.ld < o.shape.c || (facts.pixels > 1 && o.ld != facts.ld)) {
      return Fault(index, what, ' ', slot, " has ld ", o.ld, ", expected ", facts.ld, ", at least ", o.shape.c);
    }
    return Status();
  }

  Status CheckStep(size_t index) {
    const Step& step = schedule_.steps[index];
    const StepFacts facts = FactsOf(step);
    if (!facts.fault.empty()) return Fault(index, facts.fault);
    const EpilogueParams& e = step.epilogue;
    if (!HasEpilogue(step.kind()) &&
        (e.has_bias || e.activation != INKREAD_ACTIVATION_NONE || e.has_gate || e.has_residual))
      return Fault(index, "its kind has no epilogue");
    Touched touched;
    INKREAD_RETURN_IF_ERROR(CheckReads(index, facts, touched));
    INKREAD_RETURN_IF_ERROR(CheckWeights(index, facts));
    INKREAD_RETURN_IF_ERROR(CheckWrites(index, facts, touched));
    touched_.push_back(std::move(touched));
    return CheckElements(index, facts);
  }

  Status CheckReads(size_t index, const StepFacts& facts, Touched& touched) {
    const Step& step = schedule_.steps[index];
    for (size_t i = 0; i < step.reads.size(); ++i) {
      const Operand& o = step.reads[i];
      const Bytes bytes = BytesOf(o, facts.reads[i]);
      INKREAD_RETURN_IF_ERROR(CheckSlot(index, "read", i, o, facts.reads[i].has_value(), bytes));
      if (!o.present()) continue;
      if (o.space == Space::kWeights) return Fault(index, "read ", i, " lies among the weights");
      INKREAD_RETURN_IF_ERROR(CheckShape(index, "read", i, o, *facts.reads[i]));
      touched.reads.push_back(bytes);
    }
    return Status();
  }

  Status CheckWeights(size_t index, const StepFacts& facts) {
    const Step& step = schedule_.steps[index];
    for (size_t i = 0; i < step.weights.size(); ++i) {
      const Operand& o = step.weights[i];
      INKREAD_RETURN_IF_ERROR(CheckSlot(index, "weight", i, o, facts.weights[i].has_value(), BytesOf(o)));
      if (!o.present()) continue;
      if (o.space != Space::kWeights) return Fault(index, "weight ", i, " does not lie among the weights");
      if (const uint64_t words = facts.weights[i]->words; o.extent_bytes() < words * 4)
        return Fault(index, "weight ", i, " has ", o.extent_bytes() / 4, " words, expected ", words);
    }
    return Status();
  }

  Status CheckWrites(size_t index, const StepFacts& facts, Touched& touched) {
    const Step& step = schedule_.steps[index];
    for (size_t i = 0; i < step.writes.size(); ++i) {
      const Operand& o = step.writes[i];
      const Bytes bytes = BytesOf(o, facts.writes[i]);
      INKREAD_RETURN_IF_ERROR(CheckSlot(index, "write", i, o, facts.writes[i].has_value(), bytes));
      if (!o.present()) continue;
      if (o.space != Space::kArena && o.space != Space::kOutput) return Fault(index, "write ", i, " is not writable");
      INKREAD_RETURN_IF_ERROR(CheckShape(index, "write", i, o, *facts.writes[i]));
      for (const Bytes& other : touched.writes) {
        if (Overlap(bytes, other)) return Fault(index, "its writes overlap");
      }
      touched.writes.push_back(bytes);
      for (size_t r = 0; r < step.reads.size(); ++r) {
        const Operand& read = step.reads[r];
        if (!read.present() || !Overlap(bytes, BytesOf(read, facts.reads[r]))) continue;
        const bool same_place = read.space == o.space && read.offset_bytes == o.offset_bytes && read.ld == o.ld;
        if (i != 0 || !facts.reads[r]->may_be_overwritten || !same_place)
          return Fault(index, "write ", i, " overlaps read ", r);
      }
    }
    return Status();
  }

  // Every operand has an element that its rule allows, and those that must have the same one do.
  Status CheckElements(size_t index, const StepFacts& facts) {
    const Step& step = schedule_.steps[index];
    std::optional<uint32_t> stored;
    for (size_t i = 0; i < step.reads.size(); ++i) {
      if (facts.reads[i])
        INKREAD_RETURN_IF_ERROR(CheckElement(index, "read", i, step.reads[i], *facts.reads[i], stored));
    }
    for (size_t i = 0; i < step.writes.size(); ++i) {
      if (facts.writes[i])
        INKREAD_RETURN_IF_ERROR(CheckElement(index, "write", i, step.writes[i], *facts.writes[i], stored));
    }
    return Status();
  }

  // `stored` becomes the element of the first operand that has the device's.
  Status CheckElement(size_t index, const char* what, size_t slot, const Operand& o, const OperandFacts& facts,
                      std::optional<uint32_t>& stored) {
    if (o.offset_bytes % facts.alignment_bytes != 0) {
      return Fault(index, what, ' ', slot, " lies at ", o.offset_bytes, ", not aligned to ", facts.alignment_bytes,
                   " bytes");
    }
    const bool is_bytes = o.element == INKREAD_ELEMENT_U8, is_f32 = o.element == INKREAD_ELEMENT_F32;
    if (is_bytes != (facts.element == ElementRule::kPixels))
      return Fault(index, what, ' ', slot, is_bytes ? " is bytes" : " is not bytes");
    switch (facts.element) {
      case ElementRule::kAny:
      case ElementRule::kPixels:
        return Status();
      case ElementRule::kF32:
      case ElementRule::kLabels:
        return is_f32 ? Status() : Fault(index, what, ' ', slot, " is not f32");
      case ElementRule::kStoredOrF32Output:
        if (is_f32 && o.space == Space::kOutput) return Status();
        break;
      case ElementRule::kStored:
        break;
    }
    if (!stored) stored = o.element;
    return *stored == o.element ? Status() : Fault(index, "its operands have several elements");
  }

  // No step reads or writes what another of the same level writes. The steps of a level stand together.
  Status CheckLevels() {
    const std::vector<Step>& steps = schedule_.steps;
    for (size_t i = 0; i < steps.size(); ++i) {
      for (size_t j = i + 1; j < steps.size() && steps[j].level == steps[i].level; ++j) {
        const auto collide = [](const std::vector<Bytes>& a, const std::vector<Bytes>& b) {
          return std::any_of(a.begin(), a.end(), [&b](const Bytes& x) {
            return std::any_of(b.begin(), b.end(), [&x](const Bytes& y) { return Overlap(x, y); });
          });
        };
        if (collide(touched_[i].writes, touched_[j].writes)) {
          return Fault(j, "writes what step ", i, " of the same level writes");
        }
        if (collide(touched_[i].writes, touched_[j].reads)) {
          return Fault(j, "reads what step ", i, " of the same level writes");
        }
        if (collide(touched_[i].reads, touched_[j].writes)) {
          return Fault(j, "writes what step ", i, " of the same level reads");
        }
      }
    }
    return Status();
  }

  // The steps of a band stand together and are made of rows. Its steps run interleaved, so none of them may write over
  // what comes into the band, nor over another tensor that leaves it.
  Status CheckBands() {
    const std::vector<Step>& steps = schedule_.steps;
    std::set<uint32_t> seen;
    for (size_t first = 0, last = 0; first < steps.size(); first = last) {
      const uint32_t band = steps[first].band;
      for (last = first + 1; last < steps.size() && steps[last].band == band && band != 0;) ++last;
      if (band == 0) continue;
      if (!seen.insert(band).second) return Fault(first, "its band ", band, " has other steps in between");
      for (size_t i = first; i < last; ++i) {
        if (!RowRuleOf(steps[i])) return Fault(i, "a step of this kind cannot be in a band");
        for (const Operand& read : steps[i].reads) {
          const bool is_made = read.band_value == 0 || std::any_of(&steps[first], &steps[i], [&read](const Step& s) {
                                 return s.writes[0].band_value == read.band_value;
                               });
          if (!is_made) return Fault(i, "reads what no earlier step of its band makes");
        }
        for (const Operand& write : steps[i].writes) {
          if (!write.present() || (write.band_value != 0 && !write.leaves_band)) continue;
          for (size_t j = first; j < last; ++j) {
            for (const Operand& read : steps[j].reads) {
              if (read.present() && read.band_value == 0 && Overlap(BytesOf(write), BytesOf(read)))
                return Fault(i, "writes over what comes into its band and step ", j, " reads");
            }
            for (const Operand& other : steps[j].writes) {
              const bool stays = other.band_value != 0 && !other.leaves_band;
              const bool same = &other == &write || (other.band_value != 0 && other.band_value == write.band_value);
              if (other.present() && !stays && !same && Overlap(BytesOf(write), BytesOf(other)))
                return Fault(i, "writes over what step ", j, " of its band gives away");
            }
          }
        }
      }
    }
    return Status();
  }

  const Schedule& schedule_;
  std::vector<Touched> touched_;  // by step
};

}  // namespace

Status CheckSchedule(const Schedule& schedule) { return Checker(schedule).Run(); }

}  // namespace inkread
