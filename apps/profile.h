// The profile of a read, as results name it.
#ifndef INKREAD_APPS_PROFILE_H_
#define INKREAD_APPS_PROFILE_H_

#include "inkread/ocr.h"

namespace inkread {

// The one that a read with these options follows.
inline Profile ProfileOf(const ReadOptions& read) {
  return read.official && read.profile == Profile::kAuto ? Profile::kPipeline : read.profile;
}

}  // namespace inkread

#endif  // INKREAD_APPS_PROFILE_H_
