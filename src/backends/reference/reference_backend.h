// The slow twin that is obviously right: every step kind as plain loops on one thread, in the order that its contract
// says. The oracle of the conformance tests; no one reads images with it.
#ifndef INKREAD_BACKENDS_REFERENCE_REFERENCE_BACKEND_H_
#define INKREAD_BACKENDS_REFERENCE_REFERENCE_BACKEND_H_

#include <memory>

#include "schedule/backend.h"

namespace inkread {

// conv_panel  what Caps() asks packed weights to be; any panel runs
std::unique_ptr<Backend> MakeReferenceBackend(uint32_t conv_panel);

}  // namespace inkread

#endif  // INKREAD_BACKENDS_REFERENCE_REFERENCE_BACKEND_H_
