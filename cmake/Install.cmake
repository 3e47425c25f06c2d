# `cmake --install`, for find_package(tine) and for `pkg-config --static --cflags --libs tine`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tine)
set(pkgconfig ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY ${TINE_FOLDERS} DESTINATION include/tine COMPONENT tine
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(FILES ${PROJECT_BINARY_DIR}/include/tine/tine.h DESTINATION include/tine COMPONENT tine)
if(TARGET tine_command)
  install(TARGETS tine_command COMPONENT tine)
endif()
install(FILES cmake/tineConfig.cmake cmake/FindLLVMSupport.cmake cmake/FindBoostFiber.cmake
  cmake/FindLibZip.cmake DESTINATION ${package} COMPONENT tine)
write_basic_package_version_file(tineConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tineConfigVersion.cmake DESTINATION ${package} COMPONENT tine)
file(RELATIVE_PATH prefix_of_pc /${pkgconfig} /)  # the folder can move
configure_file(cmake/tine.pc.in tine.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tine.pc DESTINATION ${pkgconfig} COMPONENT tine)

# The library is a component of its own, so that the tests can install either kind.
function(install_library library kind)
  install(TARGETS ${library} EXPORT tine${kind} COMPONENT ${kind} ${ARGN})
  install(EXPORT tine${kind} NAMESPACE tine:: FILE tine${kind}.cmake DESTINATION ${package}
    COMPONENT ${kind} ${ARGN})
endfunction()
if(BUILD_SHARED_LIBS)
  install_library(tine SHARED)
else()
  install_library(tine STATIC)
endif()

# A project of its own builds against what was installed: both kinds, where Boost's source is there.
if(TINE_BUILD_TESTS)
  set(kinds SHARED)
  if(NOT BUILD_SHARED_LIBS)
    set(kinds STATIC)
    if(EXISTS ${PROJECT_SOURCE_DIR}/.cache/boost/complete)
      list(APPEND kinds SHARED)
      add_tine_library(tine_shared SHARED)
      install_library(tine_shared SHARED EXCLUDE_FROM_ALL)
    endif()
  endif()
  foreach(kind IN LISTS kinds)
    string(TOLOWER install_${kind} test)
    add_test(NAME ${test} COMMAND ${CMAKE_COMMAND}
      -D BUILD=${PROJECT_BINARY_DIR} -D GENERATOR=${CMAKE_GENERATOR} -D KIND=${kind}
      -D COMPILER=${CMAKE_CXX_COMPILER} -D VERSION=${PROJECT_VERSION}
      -D LIBDIR=${CMAKE_INSTALL_LIBDIR}
      -P ${PROJECT_SOURCE_DIR}/tests/install/run.cmake)
    set_tests_properties(${test} PROPERTIES LABELS docs)
  endforeach()
endif()
