// The backends that conformance runs: one row each.
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

}  // namespace inkread::conformance

#endif  // INKREAD_TESTS_CONFORMANCE_BACKENDS_H_
