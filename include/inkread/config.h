// What every public header needs first: a compiler for C++20, and the mark of what the library exports.
#ifndef INKREAD_CONFIG_H_
#define INKREAD_CONFIG_H_

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "inkread needs C++20: compile with -std=c++20 (CMake: target_compile_features(TARGET PRIVATE cxx_std_20))"
#endif

// Everything else is hidden: it stays inside a shared object that has the library in it.
#define INKREAD_API __attribute__((visibility("default")))

#endif  // INKREAD_CONFIG_H_
