// inkread._fetch: the models on this machine. A module of its own, so that reading needs no libraries for downloads.
#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "inkread/models.h"
#include "status_error.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace inkread::python {
namespace {

// The values of inkread_status_code, which this module does not link, are those of StatusCode.
void Check(const Status& status) {
  if (!status.ok()) throw StatusError(static_cast<int>(status.code()), status.message());
}

nb::list ListOf(const std::string& folder) {
  const Result<std::vector<ModelInfo>> models = ListModels(folder);
  Check(models.status());
  nb::list list;
  for (const ModelInfo& model : *models) {
    list.append(nb::make_tuple(model.size, nb::bytes(model.folder.data(), model.folder.size()), model.bytes,
                               model.state == ModelState::kComplete, model.licence));
  }
  return list;
}

void Fetch(const std::string& size, const std::string& folder, const std::string& from, bool force,
           const nb::object& progress) {
  FetchOptions options;
  options.folder = folder;
  options.from = from;
  options.force = force;
  std::optional<nb::python_error> raised;
  // Called without the interpreter's lock. What Python raises, an interrupt too, ends the download.
  options.progress = [&](const std::string& what, int64_t done, int64_t total) {
    const nb::gil_scoped_acquire acquired;
    try {
      if (PyErr_CheckSignals() != 0) nb::raise_python_error();
      progress(what, done, total);
    } catch (nb::python_error& error) {
      raised.emplace(std::move(error));
      throw std::runtime_error("stopped");
    }
  };
  Status status;
  {
    const nb::gil_scoped_release released;
    const std::string sizes[] = {size};
    status = FetchModels(sizes, options);
  }
  if (raised.has_value()) throw std::move(*raised);
  Check(status);
}

}  // namespace

NB_MODULE(_fetch, module) {
  RegisterStatusError();
  module.def("list_models", &ListOf, "folder"_a,
             nb::sig("def list_models(folder: str) -> list[tuple[str, bytes, int, bool, str]]"));
  module.def("fetch", &Fetch, "size"_a, "folder"_a, "from_"_a, "force"_a, "progress"_a,
             nb::sig("def fetch(size: str, folder: str, from_: str, force: bool, "
                     "progress: collections.abc.Callable[[str, int, int], None]) -> None"));
}

}  // namespace inkread::python
