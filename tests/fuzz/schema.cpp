// Any bytes as an operator's schema: a schema whose text reads back, or errors with places.
#include "ir/schema.h"

#include "ir/context.h"

using namespace tine;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto context = Context::create();
  const auto schema = parseSchema(*context, {reinterpret_cast<const char*>(data), size});
  if (!schema) {
    for (const Error& error : schema.errors())
      TINE_CHECK(!error.message.empty() && error.place.known());
    return 0;
  }
  const auto again = parseSchema(*context, schema->str());
  TINE_CHECK_MSG(again.ok() && again->str() == schema->str(), schema->str().c_str());
  return 0;
}
