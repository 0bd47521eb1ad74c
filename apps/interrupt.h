// SIGINT, SIGTERM and SIGHUP as a wish to end the run: the first one is noted, so that what was read can be written; a
// second one ends the process at once.
#ifndef INKREAD_APPS_INTERRUPT_H_
#define INKREAD_APPS_INTERRUPT_H_

namespace inkread {

// From now on the signals are noted. One that is ignored, as under nohup, or has a handler already keeps it.
void CatchInterrupts();

// The number of the first signal that came; 0: none yet.
int InterruptSignal();

// Ends the process by the signal that came, as if it had not been caught: a shell then sees 128 and its number, and a
// script that runs the command in a loop ends as well. Call it when everything is written and flushed.
[[noreturn]] void EndByInterrupt();

}  // namespace inkread

#endif  // INKREAD_APPS_INTERRUPT_H_
