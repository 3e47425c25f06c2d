# tine::tine: the library that is installed here; where both are, as BUILD_SHARED_LIBS says.
list(PREPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
include(CMakeFindDependencyMacro)
find_dependency(LLVMSupport)
if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/tineSHARED.cmake
   AND (BUILD_SHARED_LIBS OR NOT EXISTS ${CMAKE_CURRENT_LIST_DIR}/tineSTATIC.cmake))
  include(${CMAKE_CURRENT_LIST_DIR}/tineSHARED.cmake)
else()
  find_dependency(BoostFiber)
  find_dependency(LibZip)
  include(${CMAKE_CURRENT_LIST_DIR}/tineSTATIC.cmake)
endif()
list(POP_FRONT CMAKE_MODULE_PATH)
