# boost_sources: Boost.Fiber's sources in TINE_BOOST_SOURCE, the distribution's, which is fetched when
# it is missing.
set(TINE_BOOST_SOURCE ${PROJECT_SOURCE_DIR}/.cache/boost CACHE PATH
  "libs/{fiber,context}/src of Boost 1.81; fetched when missing")
execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/fetch_boost_source.sh ${TINE_BOOST_SOURCE}
  COMMAND_ERROR_IS_FATAL ANY)
file(GLOB boost_sources ${TINE_BOOST_SOURCE}/libs/fiber/src/*.cpp
  ${TINE_BOOST_SOURCE}/libs/fiber/src/algo/*.cpp)
