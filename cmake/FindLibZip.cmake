# libzip as LibZip::LibZip.  Not find_package(libzip): that one also wants its command-line tools.
# Debian has no static archive of it, and loading the shared one (with libcrypto) takes 0.9 ms, so
# a program that reads no archive does not load it: --as-needed.
find_path(LibZip_INCLUDE_DIR zip.h)
find_library(LibZip_LIBRARY zip)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibZip REQUIRED_VARS LibZip_LIBRARY LibZip_INCLUDE_DIR)
if(LibZip_FOUND AND NOT TARGET LibZip::LibZip)
  add_library(LibZip::LibZip INTERFACE IMPORTED)
  target_include_directories(LibZip::LibZip INTERFACE ${LibZip_INCLUDE_DIR})
  # One argument, so that nothing comes between its parts.
  target_link_libraries(LibZip::LibZip INTERFACE
    -Wl,--push-state,--as-needed,${LibZip_LIBRARY},--pop-state)
endif()
