# The metal-cpp headers, unmodified, as target `metal_cpp`: fetched from a wheel that carries them and checked by hash.
# On a Mac it links the real frameworks. Elsewhere it links the emulator of tests/metal_emulator, which has the few
# system headers that metal-cpp includes; the compiler must know blocks, which g++ does not.
set(INKREAD_METAL_CPP_DIR "${PROJECT_BINARY_DIR}/metal_cpp" CACHE PATH "Where the metal-cpp headers are, or are put")
set(metal_cpp_wheel "mlx_metal-0.32.4-py3-none-macosx_14_0_arm64.whl")
set(metal_cpp_sha256 8019b2db622599267d66cc168b2f0dbf5af929790a6c3b3913e00eabc42a7947)
set(metal_cpp_include "${INKREAD_METAL_CPP_DIR}/mlx/include/metal_cpp")

if(NOT APPLE AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "INKREAD_METAL takes clang (preset `metal`): metal-cpp uses blocks")
endif()

if(NOT EXISTS "${metal_cpp_include}/Metal/Metal.hpp")
  find_program(INKREAD_PYTHON NAMES python3 REQUIRED)
  message(STATUS "Fetching the metal-cpp headers")
  # Debian's python3 comes without pip, but with venv, which has it (python3-venv).
  set(metal_cpp_venv "${INKREAD_METAL_CPP_DIR}/venv")
  execute_process(COMMAND "${INKREAD_PYTHON}" -m venv "${metal_cpp_venv}" RESULT_VARIABLE failed)
  if(NOT failed)
    execute_process(COMMAND "${metal_cpp_venv}/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps
        --only-binary=:all: --platform macosx_14_0_arm64 --dest "${INKREAD_METAL_CPP_DIR}" mlx-metal==0.32.4
      RESULT_VARIABLE failed)
  endif()
  file(REMOVE_RECURSE "${metal_cpp_venv}")
  if(failed)
    message(FATAL_ERROR "pip cannot download mlx-metal 0.32.4, whose wheel has the metal-cpp headers")
  endif()
  file(SHA256 "${INKREAD_METAL_CPP_DIR}/${metal_cpp_wheel}" found)
  if(NOT found STREQUAL metal_cpp_sha256)
    file(REMOVE "${INKREAD_METAL_CPP_DIR}/${metal_cpp_wheel}")
    message(FATAL_ERROR "${metal_cpp_wheel} has SHA-256 ${found}, expected ${metal_cpp_sha256}")
  endif()
  file(ARCHIVE_EXTRACT INPUT "${INKREAD_METAL_CPP_DIR}/${metal_cpp_wheel}" DESTINATION "${INKREAD_METAL_CPP_DIR}"
    PATTERNS "mlx/include/metal_cpp/*")
  file(REMOVE "${INKREAD_METAL_CPP_DIR}/${metal_cpp_wheel}")
endif()

add_library(metal_cpp_headers INTERFACE)
target_include_directories(metal_cpp_headers SYSTEM INTERFACE "${metal_cpp_include}")
# A message to nil is a member function called on a null pointer, above all by NS::SharedPtr's destructor. Without this
# option clang takes such pointers for never null and drops the branches that test them (seen with clang 14, -O3, which
# preset metal therefore keeps here).
target_compile_options(metal_cpp_headers INTERFACE -fno-delete-null-pointer-checks $<$<CONFIG:Release>:-O3>)
if(INKREAD_SANITIZE STREQUAL "address")
  target_compile_options(metal_cpp_headers INTERFACE -fno-sanitize=null,object-size)  # for the same reason
endif()
add_library(metal_cpp INTERFACE)
target_link_libraries(metal_cpp INTERFACE metal_cpp_headers)
if(APPLE)
  target_link_libraries(metal_cpp INTERFACE "-framework Foundation" "-framework Metal" "-framework QuartzCore")
else()
  find_library(INKREAD_BLOCKS_RUNTIME NAMES BlocksRuntime REQUIRED)  # Debian: libblocksruntime-dev
  target_include_directories(metal_cpp_headers SYSTEM INTERFACE
    "${PROJECT_SOURCE_DIR}/tests/metal_emulator/host/include")
  target_compile_options(metal_cpp_headers INTERFACE -fblocks)
  target_link_libraries(metal_cpp_headers INTERFACE "${INKREAD_BLOCKS_RUNTIME}")
  target_link_libraries(metal_cpp INTERFACE inkread_metal_emulator)
endif()
