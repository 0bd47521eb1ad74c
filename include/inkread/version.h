// The version of these headers; VersionString() in ocr.h tells the library's.
#ifndef INKREAD_VERSION_H_
#define INKREAD_VERSION_H_

#define INKREAD_VERSION "0.1.0"

#endif  // INKREAD_VERSION_H_
