// Reads of the main thread, which Ctrl-C ends.
#ifndef INKREAD_PYTHON_READING_THREAD_H_
#define INKREAD_PYTHON_READING_THREAD_H_

#include <functional>

namespace inkread::python {

// Calls `read` on a thread of its own and waits for it without the interpreter's lock. Only the thread that called may
// run the handlers of signals, and only while it does not read itself. If a handler raises, calls `cancel` and waits on.
//
// Returns  false: a Python error is set; `read` has ended in any case
// Threads  called with the interpreter's lock
bool RunOnReadingThread(const std::function<void()>& read, const std::function<void()>& cancel);

}  // namespace inkread::python

#endif  // INKREAD_PYTHON_READING_THREAD_H_
