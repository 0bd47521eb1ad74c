// The backends that conformance runs: one row each. The environment variable INKREAD_TEST_BACKENDS leaves only "cpu",
// "vulkan" or "metal".
#ifndef INKREAD_TESTS_CONFORMANCE_BACKENDS_H_
#define INKREAD_TESTS_CONFORMANCE_BACKENDS_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "schedule/backend.h"

namespace inkread::conformance {

struct BackendRow {
  std::string name;
  std::function<std::unique_ptr<Backend>(ThreadPool*)> make;
};

std::vector<BackendRow> Backends();

// What a device's own checker (Vulkan's validation layer) has said so far; no line of it is tolerated.
std::vector<std::string> BackendComplaints();

}  // namespace inkread::conformance

#endif  // INKREAD_TESTS_CONFORMANCE_BACKENDS_H_
