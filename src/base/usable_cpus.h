// How many CPUs this process may use.
#ifndef INKREAD_BASE_USABLE_CPUS_H_
#define INKREAD_BASE_USABLE_CPUS_H_

#include <string>

namespace inkread {

// The number of CPUs in the process's affinity mask, limited by the CPU quota of its cgroup and of the cgroups above
// (v1 or v2), rounded up. At least 1.
int UsableCpus();

// The smallest quota of the process's cgroup and of those above it, in CPUs. 0 if none is set.
//
// membership  the text of /proc/self/cgroup
// mount       where cgroups are mounted: /sys/fs/cgroup
double CgroupQuotaCpus(const std::string& membership, const std::string& mount);

}  // namespace inkread

#endif  // INKREAD_BASE_USABLE_CPUS_H_
