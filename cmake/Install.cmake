# `cmake --install` and find_package(tine).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tine)

install(DIRECTORY ${TINE_FOLDERS} DESTINATION include/tine
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(FILES ${PROJECT_BINARY_DIR}/include/tine/tine.h DESTINATION include/tine)
install(TARGETS tine EXPORT tine)
if(TARGET tine_command)
  install(TARGETS tine_command)
endif()
install(EXPORT tine NAMESPACE tine:: FILE tineTargets.cmake DESTINATION ${package})
install(FILES cmake/tineConfig.cmake cmake/FindLLVMSupport.cmake cmake/FindBoostFiber.cmake
  cmake/FindLibZip.cmake
  DESTINATION ${package})
write_basic_package_version_file(tineConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tineConfigVersion.cmake DESTINATION ${package})

# A project of its own builds against the installed package.
if(TINE_BUILD_TESTS AND EXISTS ${PROJECT_SOURCE_DIR}/api/tine.h
   AND EXISTS ${PROJECT_SOURCE_DIR}/ir/graph.h)
  add_test(NAME install COMMAND ${CMAKE_COMMAND}
    -D BUILD=${PROJECT_BINARY_DIR} -D GENERATOR=${CMAKE_GENERATOR}
    -D COMPILER=${CMAKE_CXX_COMPILER} -D VERSION=${PROJECT_VERSION}
    -P ${PROJECT_SOURCE_DIR}/tests/install/run.cmake)
  set_tests_properties(install PROPERTIES LABELS docs)
endif()
