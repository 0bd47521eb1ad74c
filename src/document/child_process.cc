#include "document/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace inkread {
namespace {

constexpr int kCannotStart = 127;

// In the child, between fork and exec: only functions that are safe there.
[[noreturn]] void RunInChild(char* const* argv, int output, const ChildLimits& limits) {
  const int null = ::open("/dev/null", O_RDWR);
  if (null < 0 || ::dup2(null, 0) < 0 || ::dup2(output, 1) < 0 || ::dup2(null, 2) < 0) ::_exit(kCannotStart - 1);
  const rlim_t memory = static_cast<rlim_t>(limits.memory_bytes), seconds = static_cast<rlim_t>(limits.seconds);
  const rlimit address_space{memory, memory}, processor{seconds, seconds}, none{0, 0};
  ::setrlimit(RLIMIT_AS, &address_space);
  ::setrlimit(RLIMIT_CPU, &processor);
  ::setrlimit(RLIMIT_CORE, &none);
  ::setrlimit(RLIMIT_FSIZE, &none);  // it has nothing to write but its output, which is a pipe
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) ::signal(signal, SIG_DFL);
  sigset_t all;
  ::sigemptyset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::execvp(argv[0], argv);
  ::_exit(kCannotStart);
}

// Reads until the end, the limit of bytes (one more is read, as a sign) or the deadline.
Status ReadAll(int pipe, const ChildLimits& limits, std::vector<uint8_t>* output) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(limits.seconds);
  const size_t limit = static_cast<size_t>(limits.output_bytes) + 1;
  constexpr size_t kStep = size_t{1} << 20;
  while (output->size() < limit) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd ready{pipe, POLLIN, 0};
    const int polled = left.count() > 0 ? ::poll(&ready, 1, static_cast<int>(left.count())) : 0;
    if (polled == 0) return CorruptImage("it took longer than ", limits.seconds, " s");
    if (polled < 0 && errno != EINTR) return CorruptImage("poll: ", std::strerror(errno));
    if (polled < 0) continue;
    const size_t before = output->size();
    output->resize(std::min(limit, before + kStep));
    const ssize_t count = ::read(pipe, output->data() + before, output->size() - before);
    output->resize(before + static_cast<size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) return Status();
    if (count < 0 && errno != EINTR) return CorruptImage("read: ", std::strerror(errno));
  }
  return CorruptImage("it wrote more than ", limits.output_bytes, " bytes");
}

}  // namespace

Result<std::vector<uint8_t>> OutputOf(const std::vector<std::string>& argv, const ChildLimits& limits) {
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return OutOfMemory("no pipe to ", argv[0], ": ", std::strerror(errno));
  const pid_t child = ::fork();
  if (child == 0) RunInChild(arguments.data(), ends[1], limits);
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return OutOfMemory("no process for ", argv[0], ": ", std::strerror(errno));
  }
  std::vector<uint8_t> output;
  Status status;
  try {
    status = ReadAll(ends[0], limits, &output);
  } catch (const std::bad_alloc&) {
    status = OutOfMemory("no memory for what ", argv[0], " writes");
  }
  ::close(ends[0]);
  if (!status.ok()) ::kill(child, SIGKILL);
  int ended = 0;
  while (::waitpid(child, &ended, 0) < 0 && errno == EINTR) {
  }
  if (!status.ok()) return Status(status.code(), argv[0] + ": " + status.message());
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == kCannotStart) return NotFound(argv[0], ": cannot be started");
  if (WIFSIGNALED(ended)) return CorruptImage(argv[0], ": ended by signal ", WTERMSIG(ended));
  if (WEXITSTATUS(ended) != 0) return CorruptImage(argv[0], ": failed with exit code ", WEXITSTATUS(ended));
  return output;
}

}  // namespace inkread
