# Makes one text of the kernels, as Metal takes a library's source, and C++ that holds it:
# cmake -DROOT=src -DKERNELS=a.metal,b.metal -DTEXT=kernels.metal -DCODE=kernel_text.cc -P inline_includes.cmake
# Each quoted include is replaced by its file, paths counting from ROOT, the first time; it is dropped after that. No
# file may need to be included twice.
string(REPLACE "," "\n" kernels "${KERNELS}")
string(REGEX REPLACE "([^\n]+)" "#include \"\\1\"" text "${kernels}")
string(CONCAT text "\n" "${text}" "\n")
set(known "\n")
while(text MATCHES "\n#include \"([^\"\n]+)\"\n")
  set(path "${CMAKE_MATCH_1}")
  set(line "#include \"${path}\"\n")
  string(FIND "${known}" "\n${path}\n" found)
  set(content "")
  if(found EQUAL -1)
    string(APPEND known "${path}\n")
    file(READ "${ROOT}/${path}" content)
  endif()
  string(FIND "${text}" "${line}" at)
  string(LENGTH "${line}" length)
  string(SUBSTRING "${text}" 0 ${at} before)
  math(EXPR behind "${at} + ${length}")
  string(SUBSTRING "${text}" ${behind} -1 after)
  string(CONCAT text "${before}" "${content}" "${after}")
endwhile()
file(WRITE "${TEXT}" "${text}")
file(WRITE "${CODE}" "// Made of the kernels by inline_includes.cmake.
#include \"backends/metal/kernel_text.h\"

namespace inkread::metal {

const char* const kKernelText = R\"metal(${text})metal\";

}  // namespace inkread::metal
")
