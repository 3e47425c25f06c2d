# Boost.Fiber as BoostFiber::Shared, for libtine.so to contain: compiled from the distribution's
# source, because its static archive is not position-independent.  Boost.Context's is.
include(cmake/BoostSource.cmake)
add_library(boost_shared STATIC ${boost_sources})
add_library(BoostFiber::Shared ALIAS boost_shared)
target_compile_definitions(boost_shared PRIVATE BOOST_FIBERS_SOURCE)
target_compile_options(boost_shared PRIVATE -w -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(boost_shared PRIVATE -fno-gnu-unique)
endif()
target_link_libraries(boost_shared PUBLIC ${BoostContext_LIBRARY} Threads::Threads)
