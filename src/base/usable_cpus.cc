#include "base/usable_cpus.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <vector>

namespace inkread {
namespace {

// The quota set in one folder, in CPUs. 0 if none is set.
double QuotaIn(const std::string& folder) {
  std::string quota;
  double period = 0;
  std::ifstream v2(folder + "/cpu.max");  // "150000 100000" or "max 100000"
  if (v2 >> quota >> period && quota != "max" && period > 0) return std::atof(quota.c_str()) / period;
  double v1_quota = 0, v1_period = 0;
  std::ifstream v1_quota_file(folder + "/cpu.cfs_quota_us"), v1_period_file(folder + "/cpu.cfs_period_us");
  if (v1_quota_file >> v1_quota && v1_period_file >> v1_period && v1_quota > 0 && v1_period > 0)
    return v1_quota / v1_period;
  return 0;
}

}  // namespace

double CgroupQuotaCpus(const std::string& membership, const std::string& mount) {
  double min_quota = 0;
  std::istringstream lines(membership);
  // Lines are hierarchy:controllers:path. v2 has no controllers; v1 mounts them in folders of their names.
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::vector<std::string> roots;
    if (controllers.empty()) {
      roots = {mount};
    } else if (("," + controllers + ",").find(",cpu,") != std::string::npos) {
      roots = {mount + "/" + controllers, mount + "/cpu"};
    }
    for (const std::string& root : roots) {
      // In a container the path may be the host's, which does not exist there. The root then has the container's quota.
      for (std::string path = line.substr(second + 1);; path.erase(path.rfind('/'))) {
        const double quota = QuotaIn(root + path);
        if (quota > 0 && (min_quota == 0 || quota < min_quota)) min_quota = quota;
        if (path.empty() || path.find('/') == std::string::npos) break;
      }
    }
  }
  return min_quota;
}

int UsableCpus() {
  int cpus = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) cpus = CPU_COUNT(&set);
  std::ifstream file("/proc/self/cgroup");
  const std::string membership(std::istreambuf_iterator<char>(file), {});
  const double quota = CgroupQuotaCpus(membership, "/sys/fs/cgroup");
  if (quota > 0) cpus = std::min(cpus, static_cast<int>(std::ceil(quota)));
  return std::max(cpus, 1);
}

}  // namespace inkread
