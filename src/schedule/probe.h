// What the probes of backends share (Backend::Probe).
#ifndef INKREAD_SCHEDULE_PROBE_H_
#define INKREAD_SCHEDULE_PROBE_H_

#include <functional>
#include <string>

#include "schedule/backend.h"

namespace inkread {

// Of so many times that `work` is done.
double MedianMicroseconds(const std::function<void()>& work, int times);

// A row of what was measured, or of why it was not.
ProbeResult ProbeRow(const std::string& name, const std::string& unit, const Result<double>& value);

// What submitting and waiting cost, in microseconds: a run of a schedule without steps.
Result<double> EmptyRunMicroseconds(Backend& backend);

}  // namespace inkread

#endif  // INKREAD_SCHEDULE_PROBE_H_
