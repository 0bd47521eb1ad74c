# Highway as PkgConfig::HWY, and INKREAD_HWY_DISABLED, the instruction sets that no vector code here is made for: what it
# does gains nothing from SSSE3, nor from AVX3_DL over AVX3, and scalable vectors cannot be tiles or have a size of their
# own. With SSSE3 off, the baseline of x86-64 is Highway's scalar target.
find_package(PkgConfig REQUIRED)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET GLOBAL libhwy)
set(INKREAD_HWY_DISABLED "HWY_SSSE3|HWY_AVX3_DL|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128|HWY_RVV")
# A preset may leave out more, since each instruction set is another compilation of every kernel; preset dev runs all.
# Sanitizers: partial vectors go through masks (AVX3) or a copy (SSE4); AVX2 does nothing else. Metal: any one will do.
set(INKREAD_HWY_LEAVE_OUT "" CACHE STRING
    "Further instruction sets without vector code, as Highway names them, joined by |")
if(INKREAD_HWY_LEAVE_OUT)
  string(APPEND INKREAD_HWY_DISABLED "|${INKREAD_HWY_LEAVE_OUT}")
endif()
