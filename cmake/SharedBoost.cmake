# Boost.Fiber as BoostFiber::Shared, for libtine.so to contain: compiled from the distribution's
# source, because its static archive is not position-independent.  Boost.Context's is.
set(TINE_BOOST_SOURCE ${PROJECT_SOURCE_DIR}/.cache/boost CACHE PATH
  "libs/{fiber,context}/src of Boost 1.81; fetched when missing")
execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/fetch_boost_source.sh ${TINE_BOOST_SOURCE}
  COMMAND_ERROR_IS_FATAL ANY)
file(GLOB boost_sources ${TINE_BOOST_SOURCE}/libs/fiber/src/*.cpp
  ${TINE_BOOST_SOURCE}/libs/fiber/src/algo/*.cpp)
add_library(boost_shared STATIC ${boost_sources})
add_library(BoostFiber::Shared ALIAS boost_shared)
target_compile_definitions(boost_shared PRIVATE BOOST_FIBERS_SOURCE)
target_compile_options(boost_shared PRIVATE -w -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(boost_shared PRIVATE -fno-gnu-unique)
endif()
target_link_libraries(boost_shared PUBLIC ${BoostContext_LIBRARY} Threads::Threads)
