// The label that most Metal objects have.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_LABELS_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_LABELS_H_

#include "tests/metal_emulator/host/foundation.h"

namespace metal_emulator {

inline NS::String* LabelOf(Instance* self, SEL) {
  return self->object->label().empty() ? nullptr : PooledString(self->object->label());
}
inline void SetLabelOf(Instance* self, SEL, const NS::String* label) { self->object->set_label(TextOf(label)); }

inline Method BindLabel() { return {"label", reinterpret_cast<void (*)()>(&LabelOf)}; }
inline Method BindSetLabel() { return {"setLabel:", reinterpret_cast<void (*)()>(&SetLabelOf)}; }

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_LABELS_H_
