# Installs the build into a fresh folder and builds the consumer against it, by find_package and by pkg-config.
# cmake -DBUILD=... -DSCRATCH=... -DCXX=... -P run.cmake
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${SCRATCH}")
set(prefix "${SCRATCH}/prefix")
set(consumer "${CMAKE_CURRENT_LIST_DIR}/consumer")
run(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${prefix}")

run(${CMAKE_COMMAND} -G Ninja -S "${consumer}" -B "${SCRATCH}/build" -DCMAKE_CXX_COMPILER=${CXX}
  "-DCMAKE_PREFIX_PATH=${prefix}")
run(${CMAKE_COMMAND} --build "${SCRATCH}/build")
run("${SCRATCH}/build/consumer")
run("${SCRATCH}/build/consumer_of_all")

file(GLOB_RECURSE pc "${prefix}/*/inkread.pc")
get_filename_component(pc_folder "${pc}" DIRECTORY)
set(ENV{PKG_CONFIG_PATH} "${pc_folder}")
execute_process(COMMAND pkg-config --cflags --libs inkread OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
run(${CXX} -std=c++20 "${consumer}/consumer.cc" -o "${SCRATCH}/consumer" ${flags})
run("${SCRATCH}/consumer")
run("${prefix}/bin/inkread" --version)
