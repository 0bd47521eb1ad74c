// How many CPUs this process may use.
#ifndef INKREAD_BASE_USABLE_CPUS_H_
#define INKREAD_BASE_USABLE_CPUS_H_

#include <string>

namespace inkread {

// The process's affinity mask, lowered to the CPU quota of its cgroup and of those above it (v1 or v2), rounded up; at
// least 1.
int UsableCpus();

// The least quota on the way from the process's cgroup to the root, in CPUs; 0 when none is set.
//
// membership  the text of /proc/self/cgroup
// mount       where cgroups are mounted: /sys/fs/cgroup
double CgroupQuotaCpus(const std::string& membership, const std::string& mount);

}  // namespace inkread

#endif  // INKREAD_BASE_USABLE_CPUS_H_
