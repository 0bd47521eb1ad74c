// The colour space of the images in a PDF/A.
#ifndef INKREAD_FORMATS_SRGB_PROFILE_H_
#define INKREAD_FORMATS_SRGB_PROFILE_H_

#include <string>

namespace inkread {

// An ICC profile, version 2, of sRGB (IEC 61966-2-1): its primaries, adapted to D50, and its curve.
std::string SrgbProfile();

}  // namespace inkread

#endif  // INKREAD_FORMATS_SRGB_PROFILE_H_
