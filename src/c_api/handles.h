// What the handles of the C interface hold.
#ifndef INKREAD_C_API_HANDLES_H_
#define INKREAD_C_API_HANDLES_H_

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "inkread/inkread.h"
#include "inkread/ocr.h"

struct inkread_engine {
  std::unique_ptr<inkread::Engine> engine;
};

struct inkread_reading {
  inkread::Reading reading;
  std::string text;  // of all lines
  int page = 0, num_pages = 1;
  double load_ms = 0;
};

struct inkread_cancel {
  std::atomic<bool> is_set = false;
};

struct inkread_devices {
  struct Device {
    inkread::OcrBackend backend;
    int index;
    std::string name, details, problem, not_default_reason;
    uint64_t num_reads;
  };
  std::vector<Device> devices;
};

#endif  // INKREAD_C_API_HANDLES_H_
