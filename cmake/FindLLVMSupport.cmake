# LLVM's containers: the headers and the two static archives they need, as LLVMSupport::LLVMSupport.
# Not find_package(LLVM): that one wants zstd and z3, and the shared libLLVM starts 130 ms slower.
# The headers must be the ones inside LLVM's own prefix; those in /usr/include lack llvm-c/.
find_path(LLVMSupport_INCLUDE_DIR llvm/ADT/ilist.h PATHS /usr/lib/llvm-19/include NO_DEFAULT_PATH)
find_library(LLVMSupport_LIBRARY libLLVMSupport.a PATHS /usr/lib/llvm-19/lib NO_DEFAULT_PATH)
find_library(LLVMDemangle_LIBRARY libLLVMDemangle.a PATHS /usr/lib/llvm-19/lib NO_DEFAULT_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LLVMSupport REQUIRED_VARS
  LLVMSupport_LIBRARY LLVMDemangle_LIBRARY LLVMSupport_INCLUDE_DIR)
if(LLVMSupport_FOUND AND NOT TARGET LLVMSupport::LLVMSupport)
  add_library(LLVMSupport::LLVMSupport INTERFACE IMPORTED)
  target_include_directories(LLVMSupport::LLVMSupport INTERFACE ${LLVMSupport_INCLUDE_DIR})
  target_link_libraries(LLVMSupport::LLVMSupport INTERFACE
    ${LLVMSupport_LIBRARY} ${LLVMDemangle_LIBRARY})
endif()
