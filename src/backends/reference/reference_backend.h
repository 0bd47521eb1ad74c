// The scalar reference: every step kind as plain loops on one thread, in the order that its contract says. It is the
// oracle of the conformance tests and not meant for reading images.
#ifndef INKREAD_BACKENDS_REFERENCE_REFERENCE_BACKEND_H_
#define INKREAD_BACKENDS_REFERENCE_REFERENCE_BACKEND_H_

#include <memory>

#include "backends/reference/kernels.h"
#include "schedule/backend.h"

namespace inkread {

// conv_panel  the panel that Caps() asks packed weights to have; every panel runs
// kernels     must outlive the backend; tests leave some out
std::unique_ptr<Backend> MakeReferenceBackend(uint32_t conv_panel,
                                              const reference::KernelTable& kernels = reference::Kernels());

}  // namespace inkread

#endif  // INKREAD_BACKENDS_REFERENCE_REFERENCE_BACKEND_H_
