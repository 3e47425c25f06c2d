# Everything that ctest runs.  Labels: unit files fuzz bench docs check oracle model; `sched` marks what
# runs under TSan too.  Adding a file or a folder to tests/, bench/ or docs/tutorials/ needs no edit here.
find_package(GTest REQUIRED)
find_program(TINE_PYTHON python3 HINTS /usr/bin REQUIRED)  # the one that sees Debian's PyTorch

# What is compiled into every test: a test finds its files by these paths.
add_library(tine_test INTERFACE)
target_link_libraries(tine_test INTERFACE
  tine tine_flags fmt::fmt-header-only nlohmann_json::nlohmann_json)
target_compile_definitions(tine_test INTERFACE
  TINE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" TINE_SHARED_DATA="${TINE_SHARED_DATA}")
if(TARGET tine_command)
  target_compile_definitions(tine_test INTERFACE TINE_COMMAND="$<TARGET_FILE:tine_command>")
endif()
# What tests share, and the main() that watches over them.
set(shared_by_tests tests/fixture.cpp tests/random_program.cpp tests/same_result.cpp)
add_library(tine_test_main STATIC ${shared_by_tests})
target_link_libraries(tine_test_main PUBLIC tine_test GTest::gmock)
add_custom_target(sched_tests COMMENT "What runs under TSan")

function(add_tine_executable name folder)
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
  target_link_libraries(${name} PRIVATE tine_test)
  if(TARGET tine_command)
    add_dependencies(${name} tine_command)
  endif()
endfunction()

# tests/unit/<folder>/*.cpp is one executable and one test, unit_<folder>.
file(GLOB folders LIST_DIRECTORIES true RELATIVE ${PROJECT_SOURCE_DIR}/tests/unit CONFIGURE_DEPENDS
  tests/unit/*)
foreach(folder IN LISTS folders)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS tests/unit/${folder}/*.cpp)
  if(sources)
    add_tine_executable(unit_${folder} tests ${sources})
    target_link_libraries(unit_${folder} PRIVATE tine_test_main)
    add_test(NAME unit_${folder} COMMAND unit_${folder})
    if(folder STREQUAL tools)
      target_link_libraries(unit_tools PRIVATE tine_tools)
    endif()
    set(labels unit fast)
    if(folder MATCHES "^(interpreter|api|rpc)$")
      list(APPEND labels sched)
      add_dependencies(sched_tests unit_${folder})
    endif()
    set_tests_properties(unit_${folder} PROPERTIES LABELS "${labels}")
  endif()
endforeach()

# tests/stress/: everything at once, for some seconds here and for long by `make stress`; and without
# memory, which needs an operator new of its own.
foreach(name stress no_memory)
  add_tine_executable(${name} tests tests/stress/${name}_test.cpp)
  target_link_libraries(${name} PRIVATE tine_test_main)
  add_dependencies(sched_tests ${name})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "unit;sched")
endforeach()
target_sources(no_memory PRIVATE tests/stress/failing_new.cpp)

# tests/model/: the protocols between threads under Relacy, which has memory and threads of its own.
if(NOT TINE_SANITIZE)
  find_path(RELACY_INCLUDE_DIR relacy/relacy.hpp REQUIRED)
  file(GLOB sources CONFIGURE_DEPENDS tests/model/*.cpp)
  add_tine_executable(model tests ${sources})
  target_link_libraries(model PRIVATE GTest::gtest_main)
  target_include_directories(model SYSTEM PRIVATE ${RELACY_INCLUDE_DIR})
  # Relacy replaces `delete` without a size, and takes it that all memory comes back there.
  target_compile_options(model PRIVATE -fno-sized-deallocation)
  add_test(NAME model COMMAND model)
  set_tests_properties(model PROPERTIES LABELS model)
endif()

# tests/gdb/: what `tine tasks` of tools/tine_gdb.py says of a live process.
find_program(GDB gdb)
if(GDB AND NOT TINE_SANITIZE)  # LeakSanitizer does not work in a process that is looked at
  add_tine_executable(gdb_subject tests tests/gdb/subject.cpp)
  add_test(NAME gdb_tasks COMMAND ${TINE_PYTHON} ${PROJECT_SOURCE_DIR}/tests/gdb/tasks_test.py
    ${GDB} ${PROJECT_SOURCE_DIR}/tools/tine_gdb.py $<TARGET_FILE:gdb_subject>)
  set_tests_properties(gdb_tasks PROPERTIES LABELS unit)
endif()

# docs/add_a_pass.md is followed to the letter: unit_passes has its pass.
if(TARGET unit_passes)
  set(added ${PROJECT_BINARY_DIR}/docs/add_a_pass)
  set(follow tests/unit/passes/add_a_pass.py docs/add_a_pass.md passes/passes.def)
  add_custom_command(OUTPUT ${added}/added.cpp ${added}/passes.def ${added}/added.ir
    COMMAND ${TINE_PYTHON} ${follow} ${added} DEPENDS ${follow}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
  target_sources(unit_passes PRIVATE ${added}/added.cpp ${added}/passes.def)
  target_include_directories(unit_passes PRIVATE ${PROJECT_BINARY_DIR}/docs)
  target_compile_definitions(unit_passes PRIVATE TINE_ADDED_PASS="${added}")
endif()

# tests/*.cpp is the runner of the files under tests/files/: one executable, filetest.
file(GLOB sources CONFIGURE_DEPENDS tests/*.cpp)
list(TRANSFORM shared_by_tests PREPEND ${PROJECT_SOURCE_DIR}/)
list(REMOVE_ITEM sources ${shared_by_tests})
if(sources)
  add_tine_executable(filetest tests ${sources})
  target_link_libraries(filetest PRIVATE tine_test_main tine_tools)
  add_test(NAME files COMMAND filetest)
  set_tests_properties(files PROPERTIES LABELS files)
endif()

# tests/oracle/*_test.py compares with TorchScript.  Exit code 77 means skipped: no PyTorch here.
file(GLOB scripts CONFIGURE_DEPENDS tests/oracle/*_test.py)
foreach(script IN LISTS scripts)
  cmake_path(GET script STEM name)
  add_test(NAME oracle_${name} COMMAND ${TINE_PYTHON} ${script})
  set_tests_properties(oracle_${name} PROPERTIES LABELS oracle SKIP_RETURN_CODE 77
    ENVIRONMENT "TINE=${PROJECT_BINARY_DIR}/tine;TINE_SHARED_DATA=${TINE_SHARED_DATA}")
endforeach()

# tests/fuzz/*.cpp are libFuzzer targets; tests/fuzz/corpus/<name>/ holds inputs to start from.
if(TINE_FUZZ)
  add_custom_target(fuzz_targets COMMENT "The fuzz targets")
  file(GLOB sources CONFIGURE_DEPENDS tests/fuzz/*.cpp)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    add_tine_executable(fuzz_${name} fuzz ${source})
    set_target_properties(fuzz_${name} PROPERTIES OUTPUT_NAME ${name})
    target_link_libraries(fuzz_${name} PRIVATE tine_tools)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzz_targets fuzz_${name})
    add_test(NAME fuzz_${name} COMMAND ${PROJECT_SOURCE_DIR}/tools/fuzz.sh --built 20 ${name})
    set_tests_properties(fuzz_${name} PROPERTIES LABELS fuzz)
  endforeach()
endif()

if(TINE_BUILD_BENCH)
  include(cmake/Bench.cmake)
endif()

# docs/tutorials/*.cpp are programs that must build and end well; demo is one of them.
file(GLOB sources CONFIGURE_DEPENDS docs/tutorials/*.cpp)
foreach(source IN LISTS sources)
  cmake_path(GET source STEM name)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE tine tine_flags)
  add_test(NAME tutorial_${name} COMMAND ${name})
  set_tests_properties(tutorial_${name} PROPERTIES LABELS docs)
  if(TARGET unit_api)
    add_dependencies(unit_api ${name}) # the README's programs are run there
  endif()
endforeach()

# docs/add_an_op.md, followed to the letter.
if(NOT TINE_SANITIZE AND TARGET tine_command)
  add_test(NAME docs_add_an_op COMMAND
    ${TINE_PYTHON} ${PROJECT_SOURCE_DIR}/tests/docs/add_an_op_test.py ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
  set_tests_properties(docs_add_an_op PROPERTIES LABELS docs)
endif()

set(check_profile ${TINE_PYTHON} ${PROJECT_SOURCE_DIR}/tools/check_profile.py)
if(TARGET tine_command)
  add_test(NAME profile COMMAND ${check_profile} --run $<TARGET_FILE:tine_command>
    ${PROJECT_SOURCE_DIR}/tests/profile/programs.ir)
endif()

# Checks of the sources themselves, once and not in every preset.
if(NOT TINE_SANITIZE)
  set(check_layers ${TINE_PYTHON} ${PROJECT_SOURCE_DIR}/tools/check_layers.py)
  add_test(NAME layers COMMAND ${check_layers})
  add_test(NAME layers_self_test COMMAND ${check_layers} --self-test)
  add_test(NAME profile_self_test COMMAND ${check_profile} --self-test)
  add_test(NAME error_page COMMAND ${TINE_PYTHON} ${PROJECT_SOURCE_DIR}/tools/error_page.py --check)
  # Each entry of the list that the page answers, where the list is at hand.
  file(GLOB pains ${TINE_SHARED_DATA}/../spec/pains.md)
  add_test(NAME pains COMMAND ${TINE_PYTHON} ${PROJECT_SOURCE_DIR}/tools/check_pains.py ${pains})
  set_tests_properties(layers layers_self_test profile_self_test error_page pains PROPERTIES LABELS check)
  if(TARGET tine_command)
    add_test(NAME links_statically COMMAND
      sh -c "! ldd $<TARGET_FILE:tine_command> | grep -E 'libboost|libLLVM|libtorch|libgrpc'")
    set_tests_properties(links_statically PROPERTIES LABELS check)
  endif()
endif()
