// Standard input, output and error of the command.
#ifndef INKREAD_APPS_STANDARD_STREAMS_H_
#define INKREAD_APPS_STANDARD_STREAMS_H_

namespace inkread {

// Opens the standard streams that are closed, so that no other file gets their numbers and the messages or results
// that are meant for them. What is opened fails as a closed stream does: input cannot be read, output not written.
// Call it before anything opens a file.
//
// Returns  false if a stream is closed and cannot be opened
bool OpenClosedStreams();

// Flushes standard output. False if something of it, now or before, could not be written.
bool FlushStandardOutput();

}  // namespace inkread

#endif  // INKREAD_APPS_STANDARD_STREAMS_H_
