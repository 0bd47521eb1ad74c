# Writes OUTPUT, a header with the commit of the tree SOURCE; run by each build: cmake -DSOURCE=DIR -DOUTPUT=FILE -P.
# "unknown" where SOURCE is not the root of a git tree: an unpacked archive may lie within somebody else's. A file that
# would stay the same is not touched, so that nothing is compiled anew.
execute_process(COMMAND git -C "${SOURCE}" rev-parse --show-toplevel
  OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git -C "${SOURCE}" rev-parse --short=10 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
file(REAL_PATH "${SOURCE}" source)
if(failed OR NOT root STREQUAL source)
  set(commit unknown)
endif()
set(content "#define INKREAD_COMMIT \"${commit}\"\n")
set(written "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" written)
endif()
if(NOT written STREQUAL content)
  file(WRITE "${OUTPUT}" "${content}")
endif()
