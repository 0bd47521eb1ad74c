#include "schedule/probe.h"

#include <algorithm>
#include <chrono>

namespace inkread {

double MedianMicroseconds(const std::function<void()>& work, int times) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> us(times);
  for (double& t : us) {
    const auto start = Clock::now();
    work();
    t = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  }
  std::nth_element(us.begin(), us.begin() + us.size() / 2, us.end());
  return us[us.size() / 2];
}

ProbeResult ProbeRow(const std::string& name, const std::string& unit, const Result<double>& value) {
  if (!value.ok()) return {name, 0, unit, value.status().message()};
  return {name, *value, unit, ""};
}

Result<double> EmptyRunMicroseconds(Backend& backend) {
  INKREAD_ASSIGN_OR_RETURN(const auto weights, backend.Upload({}, nullptr));
  INKREAD_ASSIGN_OR_RETURN(const auto program, backend.Compile(std::make_shared<const Schedule>(), weights));
  const Job job{program.get()};
  Status status;
  const double us = MedianMicroseconds([&] { status = backend.Run({&job, 1}); }, 1001);
  INKREAD_RETURN_IF_ERROR(status);
  return us;
}

}  // namespace inkread
