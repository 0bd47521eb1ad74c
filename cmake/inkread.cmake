# The functions that every folder's CMakeLists.txt uses.

# Everything built here: C++20, position independent, warnings on, optional sanitizers.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
find_package(Threads REQUIRED)

add_library(inkread_options INTERFACE)
target_compile_options(inkread_options INTERFACE -Wall -Wextra -Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
  # Sums have one order and one rounding on every path: no contraction behind our back.
  -ffp-contract=off)
target_include_directories(inkread_options INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>" "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>")
if(INKREAD_WERROR)
  target_compile_options(inkread_options INTERFACE -Werror)
endif()
if(INKREAD_SANITIZE STREQUAL "address")
  target_compile_options(inkread_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(inkread_options INTERFACE -fsanitize=address,undefined)
elseif(INKREAD_SANITIZE STREQUAL "thread")
  target_compile_options(inkread_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(inkread_options INTERFACE -fsanitize=thread)
elseif(INKREAD_SANITIZE)
  message(FATAL_ERROR "INKREAD_SANITIZE is '${INKREAD_SANITIZE}'; expected address, thread or nothing")
endif()
if(INKREAD_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 at -O1 with a sanitizer warns of members of a std::variant that are not the active ones.
  target_compile_options(inkread_options INTERFACE -Wno-maybe-uninitialized)
endif()

if(INKREAD_FUZZ)
  target_compile_options(inkread_options INTERFACE -fsanitize=fuzzer-no-link)  # coverage, for libFuzzer
endif()

# inkread_library(NAME SOURCES ... [DEPENDS folder ...] [LIBS external ...])
# One static library `inkread_NAME` for one folder. DEPENDS names other folders; LIBS third-party targets.
function(inkread_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LIBS" ${ARGN})
  add_library(inkread_${name} STATIC ${ARG_SOURCES})
  # A shared object that has the archive in it exports what INKREAD_API marks and nothing else.
  set_target_properties(inkread_${name} PROPERTIES CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(inkread_${name} PRIVATE $<BUILD_INTERFACE:inkread_options>)
  list(TRANSFORM ARG_DEPENDS PREPEND inkread_)
  target_link_libraries(inkread_${name} PUBLIC ${ARG_DEPENDS} PRIVATE ${ARG_LIBS})
endfunction()

# inkread_includes_qpdf(TARGET)
# For a target whose sources include libqpdf's headers. Those of qpdf 11 warn unless a program says that it uses no
# PointerHolder.
function(inkread_includes_qpdf target)
  target_compile_definitions(${target} PRIVATE POINTERHOLDER_TRANSITION=4)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16)
    target_compile_options(${target} PRIVATE -include "${PROJECT_SOURCE_DIR}/cmake/qpdf_with_old_clang.h")
  endif()
endfunction()

# inkread_backend(NAME)
# Says that this build has the backend of the target inkread_backends_NAME; called in that backend's own folder.
function(inkread_backend name)
  set_property(GLOBAL APPEND PROPERTY INKREAD_BACKENDS ${name})
endfunction()

# inkread_use_backends(TARGET)
# Links every backend of this build that may be missing in another, and defines INKREAD_HAS_NAME for each.
function(inkread_use_backends target)
  get_property(backends GLOBAL PROPERTY INKREAD_BACKENDS)
  foreach(backend IN LISTS backends)
    string(TOUPPER ${backend} upper)
    target_link_libraries(${target} PUBLIC inkread_backends_${backend})
    target_compile_definitions(${target} PRIVATE INKREAD_HAS_${upper})
  endforeach()
endfunction()

# What the tests of this preset start: `cmake --build build/PRESET --target tests`.
if(INKREAD_TESTS)
  add_custom_target(tests)
endif()

# How the tests' own sources are compiled, which is quick and not what is tested.
set(INKREAD_TEST_OPTIONS "$<$<CONFIG:Release>:-O1>")

# inkread_test(NAME SOURCES ... [DEPENDS folder ...] [LIBS external ...] [LABELS label ...]
#              [TIMEOUT seconds] [COST seconds])
# One GoogleTest program as one ctest case. COST is for tests of 20 s and more: ctest starts the longest first.
function(inkread_test name)
  if(NOT INKREAD_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "TIMEOUT;COST" "SOURCES;DEPENDS;LIBS;LABELS" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 900)  # ThreadSanitizer on a busy machine is some thirty times slower
  endif()
  if(NOT ARG_COST)
    set(ARG_COST 0)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  inkread_test_program(${name} ${ARG_LABELS})
  list(TRANSFORM ARG_DEPENDS PREPEND inkread_)
  target_link_libraries(${name} PRIVATE inkread_options ${ARG_DEPENDS} ${ARG_LIBS} GTest::gtest GTest::gtest_main)
  target_compile_options(${name} PRIVATE "${INKREAD_TEST_OPTIONS}")
  if(INKREAD_SANITIZE AND "unit" IN_LIST ARG_LABELS)
    target_compile_options(${name} PRIVATE -O0)  # sanitizers double what optimising costs
  endif()
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")  # "tests/..." headers
  target_compile_definitions(${name} PRIVATE
    INKREAD_SOURCE_DIR="${PROJECT_SOURCE_DIR}" INKREAD_SHARED_DIR="${INKREAD_SHARED_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT} COST ${ARG_COST})
endfunction()

# inkread_test_program(TARGET LABEL ...)
# TARGET is started by tests with these labels: `tests` builds it where this preset runs them.
function(inkread_test_program target)
  if(INKREAD_TESTS AND NOT (INKREAD_LEAVE_OUT AND "${ARGN}" MATCHES "${INKREAD_LEAVE_OUT}") AND
     (NOT INKREAD_ONLY_LABEL OR INKREAD_ONLY_LABEL IN_LIST ARGN))
    add_dependencies(tests ${target})
  endif()
endfunction()
