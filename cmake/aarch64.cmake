# Cross compiling for 64-bit Arm under Linux with Debian's g++-aarch64-linux-gnu; programs run in qemu-aarch64. The
# libraries lie in INKREAD_ARM64_ROOT, laid out as on an arm64 Debian (./dev puts them there).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES INKREAD_ARM64_ROOT)  # this file is read there too
set(CMAKE_FIND_ROOT_PATH "${INKREAD_ARM64_ROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${INKREAD_ARM64_ROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${INKREAD_ARM64_ROOT}/usr/lib/aarch64-linux-gnu/pkgconfig")

# -L: where the loader and the C library of the cross compiler lie.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
