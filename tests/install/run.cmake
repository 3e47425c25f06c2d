# Installs BUILD with the library of this KIND, STATIC or SHARED, into a prefix of its own; builds
# the outside project with find_package and a program with pkg-config's flags; runs them.
string(TOLOWER ${KIND} kind)
set(work ${BUILD}/outside_${kind})
file(REMOVE_RECURSE ${work})
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(check program)
  execute_process(COMMAND ${program} OUTPUT_VARIABLE output
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output STREQUAL VERSION)
    message(FATAL_ERROR "${program} printed '${output}', not '${VERSION}'")
  endif()
endfunction()

foreach(component tine ${KIND})
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix --component ${component})
endforeach()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -G ${GENERATOR} -D KIND=${KIND}
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build)
check(${work}/build/outside)

set(ENV{PKG_CONFIG_PATH} ${work}/prefix/${LIBDIR}/pkgconfig)
if(KIND STREQUAL STATIC)
  set(static --static)
else()
  set(ENV{LD_LIBRARY_PATH} ${work}/prefix/${LIBDIR})
endif()
execute_process(COMMAND pkg-config ${static} --cflags --libs tine OUTPUT_VARIABLE flags
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags)
run(${COMPILER} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/main.cpp ${flags} -o ${work}/plain)
check(${work}/plain)

if(KIND STREQUAL SHARED)
  # What the library shows is ours: no symbol of Boost, LLVM or fmt.
  execute_process(COMMAND nm -DC --defined-only ${work}/prefix/${LIBDIR}/libtine.so
    COMMAND grep -vE "tine::| tine$" OUTPUT_VARIABLE foreign)
  if(foreign)
    message(FATAL_ERROR "libtine.so exports\n${foreign}")
  endif()
  run(${work}/build/load ${work}/build/libplugin.so)
endif()
