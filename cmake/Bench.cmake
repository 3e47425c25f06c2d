# bench/*_bench.cpp, each a program; ctest runs it for 10 ms, `make bench` in full.  The rivals are
# optional: what is missing here has no rows, and nothing of the library depends on them.
find_package(benchmark REQUIRED)
find_package(TBB QUIET)
find_path(LUA_INCLUDE lua.hpp PATH_SUFFIXES lua5.4)
find_library(LUA_LIBRARY lua5.4)
find_path(TORCH_INCLUDE torch/csrc/jit/serialization/import_source.h)
find_library(TORCH_LIBRARY torch_cpu)
find_library(C10_LIBRARY c10)
mark_as_advanced(LUA_INCLUDE LUA_LIBRARY TORCH_INCLUDE TORCH_LIBRARY C10_LIBRARY)

# What every benchmark is linked with.
set(sources bench/bench.cpp bench/tine.cpp)
add_library(tine_bench STATIC)
target_link_libraries(tine_bench PUBLIC tine_test benchmark::benchmark)
if(TBB_FOUND)
  target_link_libraries(tine_bench PUBLIC TBB::tbb)
  target_compile_definitions(tine_bench PUBLIC TINE_HAVE_TBB)
endif()
if(LUA_INCLUDE AND LUA_LIBRARY)
  list(APPEND sources bench/lua.cpp)
  target_include_directories(tine_bench SYSTEM PRIVATE ${LUA_INCLUDE})
  target_link_libraries(tine_bench PRIVATE ${LUA_LIBRARY})
  target_compile_definitions(tine_bench PUBLIC TINE_HAVE_LUA)
endif()
if(TORCH_INCLUDE AND TORCH_LIBRARY AND C10_LIBRARY)
  list(APPEND sources bench/torchscript.cpp)
  # Debian's libtorch, without its CMake package: that asks for the packages of all that it links.
  target_include_directories(tine_bench SYSTEM PRIVATE
    ${TORCH_INCLUDE} ${TORCH_INCLUDE}/torch/csrc/api/include)
  target_link_libraries(tine_bench PRIVATE ${TORCH_LIBRARY} ${C10_LIBRARY})
  target_compile_definitions(tine_bench PUBLIC TINE_HAVE_LIBTORCH)
endif()
target_sources(tine_bench PRIVATE ${sources})
target_compile_definitions(tine_bench PRIVATE
  TINE_BENCH_COMPILER="${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")

file(GLOB sources CONFIGURE_DEPENDS bench/*_bench.cpp)
foreach(source IN LISTS sources)
  cmake_path(GET source STEM name)
  add_tine_executable(${name} bench ${source})
  target_link_libraries(${name} PRIVATE tine_bench)
  # The largest trees and fan-outs would take TorchScript most of a minute.
  add_test(NAME ${name} COMMAND ${name} --benchmark_min_time=0.01
    --benchmark_filter=-\(Tree/n:25|n:100000\)/torchscript)
  set_tests_properties(${name} PROPERTIES LABELS bench)
endforeach()
add_test(NAME bench_table COMMAND ${TINE_PYTHON} ${PROJECT_SOURCE_DIR}/tools/bench_table.py
  --self-test)
set_tests_properties(bench_table PROPERTIES LABELS bench)
