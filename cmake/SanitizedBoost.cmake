# Boost.Fiber and Boost.Context as BoostFiber::BoostFiber, compiled with this build's sanitizer.
# A sanitizer follows a switch of fibers only if Boost tells it, which the packaged archives do not:
# under TSan they crash when a fiber ends.  The defines change the layout of Boost's classes, so
# everything that includes Boost must see them: they are PUBLIC.
include(cmake/BoostSource.cmake)
list(APPEND boost_sources ${TINE_BOOST_SOURCE}/libs/context/src/fiber.cpp
  ${TINE_BOOST_SOURCE}/libs/context/src/continuation.cpp
  ${TINE_BOOST_SOURCE}/libs/context/src/posix/stack_traits.cpp)

set(boost_sanitizer BOOST_USE_ASAN)
if(TINE_SANITIZE STREQUAL "thread")
  set(boost_sanitizer BOOST_USE_TSAN)
endif()

find_package(Threads REQUIRED)
add_library(boost_sanitized STATIC ${boost_sources})
add_library(BoostFiber::BoostFiber ALIAS boost_sanitized)
target_compile_definitions(boost_sanitized PUBLIC
  BOOST_USE_UCONTEXT BOOST_FIBERS_SOURCE BOOST_CONTEXT_SOURCE ${boost_sanitizer})
target_compile_options(boost_sanitized PRIVATE -w)
target_link_libraries(boost_sanitized PUBLIC Threads::Threads)
