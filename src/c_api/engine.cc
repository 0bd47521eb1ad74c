// Engines, devices and cancelling.
#include <utility>

#include "c_api/conventions.h"
#include "c_api/handles.h"

namespace inkread::c_api {
namespace {

inkread_engine_options DefaultEngineOptions() {
  inkread_engine_options options = {};
  options.struct_size = sizeof options;
  options.size = INKREAD_SIZE_SMALL;
  return options;
}

Result<EngineOptions> ToEngineOptions(const inkread_engine_options* given) {
  INKREAD_ASSIGN_OR_RETURN(const inkread_engine_options from, Given(given, DefaultEngineOptions(), "options"));
  if (from.num_devices > 0 && from.devices == nullptr) {
    return InvalidArgument("'devices' is NULL, but num_devices is ", from.num_devices);
  }
  EngineOptions options;
  options.size = static_cast<ModelSize>(from.size);
  options.backend = static_cast<OcrBackend>(from.backend);
  for (size_t i = 0; i < from.num_devices; ++i) options.devices.push_back(Text(from.devices[i]));
  options.strict_backend = from.strict_backend != 0;
  options.precision = static_cast<Precision>(from.precision);
  options.num_threads = from.num_threads;
  options.use_classifier = from.use_classifier != 0;
  options.model_folder = Text(from.model_folder);
  options.det_file = Text(from.det_file);
  options.rec_file = Text(from.rec_file);
  options.dictionary_file = Text(from.dictionary_file);
  return options;
}

Status CheckEngine(const inkread_engine* engine) {
  return engine == nullptr ? InvalidArgument("'engine' is NULL; expected one from inkread_engine_create") : Status();
}

}  // namespace
}  // namespace inkread::c_api

using namespace inkread;         // NOLINT: what follows is in no namespace, since its names are C's
using namespace inkread::c_api;  // NOLINT

inkread_status_code inkread_engine_options_init(inkread_engine_options* options, size_t struct_size) {
  return Init(options, struct_size, DefaultEngineOptions());
}

inkread_status_code inkread_engine_create(const inkread_engine_options* options, inkread_engine** engine,
                                          char** message) {
  return Try(message, [&]() -> Status {
    INKREAD_RETURN_IF_ERROR(Clear(engine, "engine"));
    INKREAD_ASSIGN_OR_RETURN(const EngineOptions cpp_options, ToEngineOptions(options));
    auto handle = std::make_unique<inkread_engine>();
    INKREAD_ASSIGN_OR_RETURN(handle->engine, Engine::Create(cpp_options));
    *engine = handle.release();
    return Status();
  });
}

void inkread_engine_free(inkread_engine* engine) { delete engine; }

inkread_status_code inkread_engine_get_info(const inkread_engine* engine, inkread_engine_info* info, char** message) {
  return Try(message, [&]() -> Status {
    INKREAD_RETURN_IF_ERROR(CheckEngine(engine));
    const EngineInfo from = engine->engine->Info();
    inkread_engine_info out = {};
    out.size = static_cast<int32_t>(from.size);
    out.backend = static_cast<int32_t>(from.backend);
    out.precision = static_cast<int32_t>(from.precision);
    out.num_threads = from.num_threads;
    out.has_classifier = from.has_classifier ? 1 : 0;
    return Fill(info, out, "info");
  });
}

inkread_status_code inkread_list_devices(inkread_devices** devices, char** message) {
  return Try(message, [&]() -> Status {
    INKREAD_RETURN_IF_ERROR(Clear(devices, "devices"));
    auto handle = std::make_unique<inkread_devices>();
    for (DeviceInfo& device : ListDevices()) {
      handle->devices.push_back({device.backend, device.index, std::move(device.name), std::move(device.details),
                                 std::move(device.unusable_reason), std::move(device.not_default_reason), 0});
    }
    *devices = handle.release();
    return Status();
  });
}

inkread_status_code inkread_engine_devices(const inkread_engine* engine, inkread_devices** devices, char** message) {
  return Try(message, [&]() -> Status {
    INKREAD_RETURN_IF_ERROR(Clear(devices, "devices"));
    INKREAD_RETURN_IF_ERROR(CheckEngine(engine));
    auto handle = std::make_unique<inkread_devices>();
    EngineInfo info = engine->engine->Info();
    for (DeviceUse& use : info.devices) {
      const int index = static_cast<int>(handle->devices.size());
      handle->devices.push_back({use.backend, index, std::move(use.name), "", std::move(use.fault), "", use.num_reads});
    }
    *devices = handle.release();
    return Status();
  });
}

inkread_status_code inkread_devices_count(const inkread_devices* devices, size_t* count, char** message) {
  return Try(message, [&]() -> Status {
    if (devices == nullptr || count == nullptr) return InvalidArgument("'devices' or 'count' is NULL");
    *count = devices->devices.size();
    return Status();
  });
}

inkread_status_code inkread_devices_get(const inkread_devices* devices, size_t index, inkread_device* device,
                                        char** message) {
  return Try(message, [&]() -> Status {
    if (devices == nullptr) return InvalidArgument("'devices' is NULL");
    if (index >= devices->devices.size()) {
      return InvalidArgument("device ", index, " of a list of ", devices->devices.size(), "; the first has index 0");
    }
    const inkread_devices::Device& from = devices->devices[index];
    inkread_device out = {};
    out.backend = static_cast<int32_t>(from.backend);
    out.index = from.index;
    out.name = from.name.c_str();
    out.details = from.details.c_str();
    out.problem = from.problem.c_str();
    out.not_default_reason = from.not_default_reason.c_str();
    out.num_reads = from.num_reads;
    return Fill(device, out, "device");
  });
}

void inkread_devices_free(inkread_devices* devices) { delete devices; }

inkread_status_code inkread_cancel_create(inkread_cancel** cancel, char** message) {
  return Try(message, [&]() -> Status {
    INKREAD_RETURN_IF_ERROR(Clear(cancel, "cancel"));
    *cancel = new inkread_cancel;
    return Status();
  });
}

inkread_status_code inkread_cancel_set(inkread_cancel* cancel, char** message) {
  return Try(message, [&]() -> Status {
    if (cancel == nullptr) return InvalidArgument("'cancel' is NULL; expected one from inkread_cancel_create");
    cancel->is_set = true;
    return Status();
  });
}

void inkread_cancel_free(inkread_cancel* cancel) { delete cancel; }
