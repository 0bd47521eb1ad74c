#include "apps/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "apps/output_file.h"

namespace inkread {
namespace {

std::atomic<int> first_signal = 0;

void EndBy(int signal) {
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void Note(int signal) {
  int none = 0;
  if (first_signal.compare_exchange_strong(none, signal)) return;
  RemoveUnfinishedFiles();
  EndBy(signal);  // the signal is blocked until this handler is left
}

}  // namespace

void CatchInterrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = Note;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

int InterruptSignal() { return first_signal; }

void EndByInterrupt() {
  EndBy(first_signal);
  _exit(128 + first_signal);  // where the signal is blocked
}

}  // namespace inkread
