# Boost.Fiber over Boost.Context, static, as BoostFiber::BoostFiber.
# Not find_package(Boost): its Boost::fiber also wants Boost.Filesystem.
find_path(BoostFiber_INCLUDE_DIR boost/fiber/fiber.hpp)
find_library(BoostFiber_LIBRARY libboost_fiber.a)
find_library(BoostContext_LIBRARY libboost_context.a)
find_package(Threads REQUIRED)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(BoostFiber REQUIRED_VARS
  BoostFiber_LIBRARY BoostContext_LIBRARY BoostFiber_INCLUDE_DIR)
if(BoostFiber_FOUND AND NOT TARGET BoostFiber::BoostFiber)
  add_library(BoostFiber::BoostFiber INTERFACE IMPORTED)
  target_include_directories(BoostFiber::BoostFiber INTERFACE ${BoostFiber_INCLUDE_DIR})
  target_link_libraries(BoostFiber::BoostFiber INTERFACE
    ${BoostFiber_LIBRARY} ${BoostContext_LIBRARY} Threads::Threads)
endif()
