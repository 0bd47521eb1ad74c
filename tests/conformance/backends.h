// What conformance runs: the variants of every backend in the registry. The environment variable INKREAD_TEST_BACKENDS
// names the only backend to run.
#ifndef INKREAD_TESTS_CONFORMANCE_BACKENDS_H_
#define INKREAD_TESTS_CONFORMANCE_BACKENDS_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "schedule/backend.h"

namespace inkread::conformance {

struct TestedBackend {
  std::string name;
  std::function<std::unique_ptr<Backend>(ThreadPool*)> make;
};

std::vector<TestedBackend> TestedBackends();

// The messages so far of a device's own checker (Vulkan's validation layer). Any message fails the tests.
std::vector<std::string> BackendComplaints();

}  // namespace inkread::conformance

#endif  // INKREAD_TESTS_CONFORMANCE_BACKENDS_H_
