// Runs a program and reads what it writes to standard output.
#ifndef INKREAD_DOCUMENT_CHILD_PROCESS_H_
#define INKREAD_DOCUMENT_CHILD_PROCESS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace inkread {

struct ChildLimits {
  int64_t output_bytes = 0;                 // more than this is an error
  int64_t memory_bytes = int64_t{3} << 30;  // of address space
  int seconds = 120;                        // of the clock; as many of its processor
};

// Runs argv[0], looked up in PATH, without a shell and with standard input and error closed to it, and returns its
// output. The child shares no open file with this process.
//
// Errors  kNotFound (no such program), kCorruptImage (it failed, was ended by a signal, or went beyond a limit),
//         kOutOfMemory (no process or pipe)
Result<std::vector<uint8_t>> OutputOf(const std::vector<std::string>& argv, const ChildLimits& limits);

}  // namespace inkread

#endif  // INKREAD_DOCUMENT_CHILD_PROCESS_H_
