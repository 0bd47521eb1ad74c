// What a benchmark reports about the machine and this process.
#ifndef INKREAD_APPS_MACHINE_H_
#define INKREAD_APPS_MACHINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace inkread {

struct Machine {
  std::string cpu = "unknown";
  int num_cores = 1;  // that this process may use
  int64_t memory_bytes = 0;
  std::string compiler;  // that built this program
};

Machine ThisMachine();

// Resident memory of this process, now and at its maximum; nothing where the system does not tell.
std::optional<int64_t> ResidentBytes();
std::optional<int64_t> PeakResidentBytes();

// What this process has used of the machine since it began, all of its threads together.
struct ProcessUse {
  double cpu_s = 0;             // processor time, of the process and of the system on its behalf
  int64_t num_switches = 0;     // times that a thread went to sleep and another one ran
  int64_t num_page_faults = 0;  // pages of memory that the system mapped when they were touched
};
ProcessUse UseOfProcess();

// The value of the first line "NAME: value" of a text such as /proc/cpuinfo; nothing where there is none.
std::optional<std::string> FieldOf(std::string_view text, std::string_view name);

}  // namespace inkread

#endif  // INKREAD_APPS_MACHINE_H_
