// What a schedule must keep to whatever wrote it: the contracts of steps/*_params.h as far as they can be seen without
// running anything.
#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "base/round.h"
#include "schedule/rows.h"
#include "schedule/schedule.h"

namespace inkread {
namespace {

// What a kind's contract says of one operand.
struct Expected {
  uint64_t pixels = 0;
  uint64_t c = 0;
  uint64_t ld = 0;
  bool may_be_y = false;  // may lie exactly where writes[0] lies
};

struct Contract {
  std::array<std::optional<Expected>, 3> reads;
  std::array<std::optional<uint64_t>, 4> weights;  // words
  std::array<std::optional<Expected>, 2> writes;
  bool has_epilogue = false;
  std::string fault;  // what the params themselves break
};

// Columns in whole panels; a panel of 0, which is a fault that is told elsewhere, has none.
uint64_t InPanels(uint64_t columns, uint64_t panel) { return panel == 0 ? 0 : RoundUp(columns, panel); }

// The slots of the epilogue: gate and residual among the reads, bias among the weights.
void AddEpilogue(Contract& k, const EpilogueParams& e, uint64_t n, uint64_t pixels, uint64_t c, uint64_t bias_words,
                 bool residual_may_be_y) {
  k.has_epilogue = true;
  if (e.has_bias) k.weights[1] = bias_words;
  if (e.has_gate) k.reads[1] = Expected{n, c, c};
  if (e.has_residual) k.reads[2] = Expected{pixels, c, e.residual_ld, residual_may_be_y};
  if (e.activation >= INKREAD_NUM_ACTIVATIONS) k.fault = StrCat("unknown activation ", e.activation);
}

template <typename P>
void CheckWindow(Contract& k, const P& p) {
  if (p.kh == 0 || p.kw == 0 || p.stride_h == 0 || p.stride_w == 0) k.fault = "a window or stride is 0";
}

template <typename P>
void CheckPacking(Contract& k, const P& p) {
  if (p.panel == 0) k.fault = "panel is 0";
  if (p.weights_form >= INKREAD_NUM_WEIGHTS_FORMS) k.fault = StrCat("unknown form of weights ", p.weights_form);
}

Contract ContractOf(const ConvParams& p, const EpilogueParams& e) {
  Contract k;
  CheckPacking(k, p);
  CheckWindow(k, p);
  const uint64_t columns = InPanels(p.oc, p.panel);
  k.reads[0] = Expected{uint64_t{p.n} * p.ih * p.iw, p.ic, p.x_ld};
  k.weights[0] = PackedWeightWords(p.weights_form, columns, p.kh, p.kw, p.ic);
  const uint64_t pixels = uint64_t{p.n} * p.oh * p.ow;
  k.writes[0] = Expected{pixels, p.oc, p.y_ld};
  AddEpilogue(k, e, p.n, pixels, p.oc, columns, true);
  return k;
}

Contract ContractOf(const DepthwiseConvParams& p, const EpilogueParams& e) {
  Contract k;
  CheckWindow(k, p);
  k.reads[0] = Expected{uint64_t{p.n} * p.ih * p.iw, p.c, p.x_ld};
  k.weights[0] = uint64_t{p.kh} * p.kw * p.c;
  const uint64_t pixels = uint64_t{p.n} * p.oh * p.ow;
  k.writes[0] = Expected{pixels, p.c, p.y_ld};
  AddEpilogue(k, e, p.n, pixels, p.c, p.c, false);
  return k;
}

Contract ContractOf(const ConvTransposeParams& p, const EpilogueParams& e) {
  Contract k;
  CheckPacking(k, p);
  if (p.kh == 0 || p.kw == 0) k.fault = "the window is empty";
  const uint64_t taps = uint64_t{p.kh} * p.kw;
  const uint64_t columns = InPanels(taps * p.oc, p.panel);
  const uint64_t pixels = uint64_t{p.n} * p.ih * p.iw;
  k.reads[0] = Expected{pixels, p.ic, p.x_ld};
  k.weights[0] = PackedWeightWords(p.weights_form, columns, 1, 1, p.ic);
  k.writes[0] = Expected{pixels * taps, p.oc, p.y_ld};
  AddEpilogue(k, e, p.n, pixels * taps, p.oc, columns, false);
  return k;
}

Contract ContractOf(const PoolParams& p, const EpilogueParams&) {
  Contract k;
  CheckWindow(k, p);
  if (p.mode > INKREAD_POOL_AVERAGE) k.fault = StrCat("unknown mode ", p.mode);
  k.reads[0] = Expected{uint64_t{p.n} * p.ih * p.iw, p.c, p.x_ld};
  k.writes[0] = Expected{uint64_t{p.n} * p.oh * p.ow, p.c, p.y_ld};
  return k;
}

Contract ContractOf(const GlobalPoolParams& p, const EpilogueParams&) {
  Contract k;
  k.reads[0] = Expected{uint64_t{p.n} * p.h * p.w, p.c, p.x_ld};
  k.writes[0] = Expected{p.n, p.c, p.c};
  k.writes[1] = Expected{uint64_t{p.n} * p.h, p.c, p.c};
  return k;
}

Contract ContractOf(const SqueezeExciteParams& p, const EpilogueParams&) {
  Contract k;
  if (p.mid > 1024) k.fault = StrCat("mid is ", p.mid, ", at most 1024 is allowed");
  k.reads[0] = Expected{p.n, p.c, p.c};
  k.weights = {uint64_t{p.c} * p.mid, p.mid, uint64_t{p.mid} * p.c, p.c};
  k.writes[0] = Expected{p.n, p.c, p.c};
  return k;
}

Contract ContractOf(const ElementwiseParams& p, const EpilogueParams& e) {
  Contract k;
  const uint64_t pixels = uint64_t{p.n} * p.h * p.w;
  k.reads[0] = Expected{pixels, p.c, p.x_ld, true};
  k.writes[0] = Expected{pixels, p.c, p.y_ld};
  AddEpilogue(k, e, p.n, pixels, p.c, p.c, true);
  return k;
}

Contract ContractOf(const ResizeParams& p, const EpilogueParams& e) {
  Contract k;
  if (p.scale_h == 0 || p.scale_w == 0) k.fault = "a scale is 0";
  const uint64_t pixels = uint64_t{p.n} * p.ih * p.iw;
  const uint64_t y_pixels = pixels * p.scale_h * p.scale_w;
  k.reads[0] = Expected{pixels, p.c, p.x_ld};
  k.writes[0] = Expected{y_pixels, p.c, p.y_ld};
  AddEpilogue(k, e, p.n, y_pixels, p.c, p.c, true);
  return k;
}

Contract ContractOf(const LayerNormParams& p, const EpilogueParams&) {
  Contract k;
  k.reads[0] = Expected{p.rows, p.c, p.x_ld, true};
  k.weights[0] = k.weights[1] = p.c;
  k.writes[0] = Expected{p.rows, p.c, p.y_ld};
  return k;
}

Contract ContractOf(const AttentionParams& p, const EpilogueParams&) {
  Contract k;
  if (p.d == 0 || p.d > 128) k.fault = StrCat("d is ", p.d, ", 1 to 128 is allowed");
  const uint64_t pixels = uint64_t{p.n} * p.t, c = uint64_t{p.heads} * p.d;
  k.reads = {Expected{pixels, c, p.q_ld}, Expected{pixels, c, p.k_ld}, Expected{pixels, c, p.v_ld}};
  k.writes[0] = Expected{pixels, c, p.y_ld};
  return k;
}

Contract ContractOf(const SoftmaxParams& p, const EpilogueParams&) {
  Contract k;
  k.reads[0] = Expected{p.rows, p.c, p.x_ld, true};
  k.writes[0] = Expected{p.rows, p.c, p.y_ld};
  return k;
}

Contract ContractOf(const CtcHeadParams& p, const EpilogueParams&) {
  Contract k;
  CheckPacking(k, p);
  if (p.classes == 0) k.fault = "there are no classes";
  const uint64_t columns = InPanels(p.classes, p.panel);
  k.reads[0] = Expected{p.rows, p.ic, p.x_ld};
  k.weights[0] = PackedWeightWords(p.weights_form, columns, 1, 1, p.ic);
  k.weights[1] = columns;
  k.writes[0] = Expected{p.rows, 2, 2};
  return k;
}

// Copies look at their operands' offsets only; BytesOf() knows how far they reach.
Contract ContractOf(const CopyParams&, const EpilogueParams&) {
  Contract k;
  k.reads[0] = k.writes[0] = Expected{};
  return k;
}

// What both kinds that read an image keep to.
template <typename P>
void CheckImage(Contract& k, const P& p) {
  if (p.ih == 0 || p.iw == 0 || p.oh == 0 || p.ow == 0) k.fault = "a side is 0";
  if (p.pixel_bytes != 1 && p.pixel_bytes != 3 && p.pixel_bytes != 4)
    k.fault = StrCat("a pixel has ", p.pixel_bytes, " bytes");
  for (uint at : p.at) {
    if (at >= p.pixel_bytes) k.fault = StrCat("there is no byte ", at, " in a pixel of ", p.pixel_bytes);
  }
  k.reads[0] = Expected{uint64_t{p.ih} * p.iw, p.pixel_bytes, p.pixel_bytes};
}

Contract ContractOf(const ImageResizeParams& p, const EpilogueParams&) {
  Contract k;
  CheckImage(k, p);
  if (p.y_w < p.ow) k.fault = StrCat("rows of ", p.y_w, " do not hold ", p.ow);
  if (p.quarter_turns > 3) k.fault = StrCat(p.quarter_turns, " quarter turns");
  k.writes[0] = Expected{uint64_t{p.oh} * p.y_w, 3, 3};
  return k;
}

Contract ContractOf(const ImageWarpParams& p, const EpilogueParams&) {
  Contract k;
  CheckImage(k, p);
  k.weights[0] = 32 * 32 * 16 / 2;
  k.writes[0] = Expected{uint64_t{p.oh} * p.ow, 4, 4};
  return k;
}

Contract ContractOf(const std::monostate&, const EpilogueParams&) {
  Contract k;
  k.fault = "the step has no kind";
  return k;
}

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

Bytes BytesOfCopy(const Operand& o, const uint (&dims)[5], const uint (&stride)[5]) {
  uint64_t last = 0;
  bool empty = false;
  for (int i = 0; i < 5; ++i) {
    if (dims[i] == 0) {
      empty = true;
    } else {
      last += uint64_t{dims[i] - 1} * stride[i];
    }
  }
  const uint64_t size = ElementBytes(o.element);
  const uint64_t extent = empty ? 0 : (last + 1) * size;
  Bytes bytes{o.space, o.offset_bytes, o.offset_bytes + extent, extent, extent};
  // Rows of unit stride whose starts all lie a whole number of lds apart are columns of a wider tensor.
  uint64_t ld = 0, columns = 1;
  for (int i = 0; i < 5; ++i) {
    if (dims[i] <= 1) continue;
    if (stride[i] == 1 && columns == 1) {
      columns = dims[i];
    } else {
      ld = std::gcd(ld, uint64_t{stride[i]});
    }
  }
  if (ld >= columns) {
    bytes.ld = ld * size;
    bytes.c = columns * size;
  }
  return bytes;
}

bool Overlap(const Bytes& a, const Bytes& b) {
  if (a.space != b.space || a.begin == a.end || b.begin == b.end || a.end <= b.begin || b.end <= a.begin) return false;
  // Every row of both begins a whole number of lds from where it would in a tensor of this ld.
  const uint64_t ld = std::gcd(a.ld, b.ld);
  if (a.c > ld || b.c > ld) return true;
  // Where b's columns begin, seen from a's.
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

  Status CheckShape(size_t index, const char* what, size_t slot, const Operand& o, const Expected& e) {
    if (o.shape.num_pixels() != e.pixels || o.shape.c != e.c) {
      return Fault(index, what, ' ', slot, " is ", o.shape.num_pixels(), " x ", o.shape.c, ", expected ", e.pixels,
                   " x ", e.c);
    }
    if (o.ld < o.shape.c || (e.pixels > 1 && o.ld != e.ld)) {
      return Fault(index, what, ' ', slot, " has ld ", o.ld, ", expected ", e.ld, ", at least ", o.shape.c);
    }
    return Status();
  }

  Status CheckStep(size_t index) {
    const Step& step = schedule_.steps[index];
    const Contract contract =
        std::visit([&step](const auto& params) { return ContractOf(params, step.epilogue); }, step.params);
    if (!contract.fault.empty()) return Fault(index, contract.fault);
    const EpilogueParams& e = step.epilogue;
    if (!contract.has_epilogue &&
        (e.has_bias || e.activation != INKREAD_ACTIVATION_NONE || e.has_gate || e.has_residual)) {
      return Fault(index, "its kind has no epilogue");
    }
    const auto* copy = std::get_if<CopyParams>(&step.params);
    Touched touched;
    for (size_t i = 0; i < step.reads.size(); ++i) {
      const Operand& o = step.reads[i];
      const Bytes bytes = copy ? BytesOfCopy(o, copy->dims, copy->x_stride) : BytesOf(o);
      INKREAD_RETURN_IF_ERROR(CheckSlot(index, "read", i, o, contract.reads[i].has_value(), bytes));
      if (!o.present()) continue;
      if (o.space != Space::kArena && o.space != Space::kInput && o.space != Space::kOutput) {
        return Fault(index, "read ", i, " lies among the weights");
      }
      if (!copy) INKREAD_RETURN_IF_ERROR(CheckShape(index, "read", i, o, *contract.reads[i]));
      touched.reads.push_back(bytes);
    }
    for (size_t i = 0; i < step.weights.size(); ++i) {
      const Operand& o = step.weights[i];
      INKREAD_RETURN_IF_ERROR(CheckSlot(index, "weight", i, o, contract.weights[i].has_value(), BytesOf(o)));
      if (!o.present()) continue;
      if (o.space != Space::kWeights) return Fault(index, "weight ", i, " does not lie among the weights");
      if (o.extent_bytes() < *contract.weights[i] * 4) {
        return Fault(index, "weight ", i, " has ", o.extent_bytes() / 4, " words, expected ", *contract.weights[i]);
      }
    }
    for (size_t i = 0; i < step.writes.size(); ++i) {
      const Operand& o = step.writes[i];
      const Bytes bytes = copy ? BytesOfCopy(o, copy->dims, copy->y_stride) : BytesOf(o);
      INKREAD_RETURN_IF_ERROR(CheckSlot(index, "write", i, o, contract.writes[i].has_value(), bytes));
      if (!o.present()) continue;
      if (o.space != Space::kArena && o.space != Space::kOutput) return Fault(index, "write ", i, " is not writable");
      if (!copy) INKREAD_RETURN_IF_ERROR(CheckShape(index, "write", i, o, *contract.writes[i]));
      for (const Bytes& other : touched.writes) {
        if (Overlap(bytes, other)) return Fault(index, "its writes overlap");
      }
      touched.writes.push_back(bytes);
      for (size_t r = 0; r < step.reads.size(); ++r) {
        const Operand& read = step.reads[r];
        if (!read.present()) continue;
        const Bytes read_bytes = copy ? BytesOfCopy(read, copy->dims, copy->x_stride) : BytesOf(read);
        const bool same_place = read.space == o.space && read.offset_bytes == o.offset_bytes && read.ld == o.ld;
        if (Overlap(bytes, read_bytes) && !(i == 0 && contract.reads[r]->may_be_y && same_place)) {
          return Fault(index, "write ", i, " overlaps read ", r);
        }
      }
    }
    touched_.push_back(std::move(touched));
    return CheckElements(index);
  }

  // One element in all operands but for those that are always f32.
  Status CheckElements(size_t index) {
    const Step& step = schedule_.steps[index];
    const bool is_resize = step.kind() == StepKind::kImageResize, is_warp = step.kind() == StepKind::kImageWarp;
    const auto is_byte = [](const Operand& o) { return o.present() && o.element == INKREAD_ELEMENT_U8; };
    const bool reads_bytes = std::any_of(step.reads.begin(), step.reads.end(), is_byte);
    const bool writes_bytes = std::any_of(step.writes.begin(), step.writes.end(), is_byte);
    if (reads_bytes != ReadsPixels(step.kind()))
      return Fault(index, "steps that read images read bytes, and no others do");
    if (writes_bytes != is_warp) return Fault(index, "bytes are what image_warp writes, and nothing else");
    if (is_warp && step.writes[0].offset_bytes % 4 != 0) return Fault(index, "its pixels are not whole words");
    if (step.kind() == StepKind::kCopy || is_resize) return Status();
    const bool has_labels = step.kind() == StepKind::kCtcHead;
    const bool may_widen = step.kind() == StepKind::kSoftmax && step.writes[0].space == Space::kOutput;
    const uint32_t element = has_labels || may_widen ? step.reads[0].element : step.writes[0].element;
    for (const Operand& o : step.reads) {
      if (o.present() && o.element != element) return Fault(index, "its operands have several elements");
    }
    if (has_labels && step.writes[0].element != INKREAD_ELEMENT_F32) return Fault(index, "its results are not words");
    if (step.writes[1].present() && step.writes[1].element != INKREAD_ELEMENT_F32)
      return Fault(index, "write 1 is not f32");
    return Status();
  }

  // No step reads or writes what another of the same level writes. Levels run in order, so they are runs of steps.
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

  // A band's steps stand together and are made of rows; while any of them may still run, nothing that comes into the
  // band is written over, and what leaves it lies apart.
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

  struct Touched {
    std::vector<Bytes> reads, writes;
  };

  const Schedule& schedule_;
  std::vector<Touched> touched_;  // by step
};

}  // namespace

Status CheckSchedule(const Schedule& schedule) { return Checker(schedule).Run(); }

}  // namespace inkread
