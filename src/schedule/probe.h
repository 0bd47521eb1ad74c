// Helpers for the probes of backends (Backend::Probe).
#ifndef INKREAD_SCHEDULE_PROBE_H_
#define INKREAD_SCHEDULE_PROBE_H_

#include <functional>
#include <string>

#include "schedule/backend.h"

namespace inkread {

// Median time of `times` calls of `work`.
double MedianMicroseconds(const std::function<void()>& work, int times);

// A row with the measured value, or with the error's message as the reason why there is none.
ProbeResult ProbeRow(const std::string& name, const std::string& unit, const Result<double>& value);

// Microseconds of a run of a schedule without steps: the cost of submitting and waiting.
Result<double> EmptyRunMicroseconds(Backend& backend);

}  // namespace inkread

#endif  // INKREAD_SCHEDULE_PROBE_H_
