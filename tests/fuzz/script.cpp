// Any bytes as source: errors with places, or a unit that verifies.
#include "frontend/script/compile.h"
#include "ir/verify.h"

using namespace tine;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto ops = OpSet::sharedBuiltin();
  const auto check = [](const std::vector<Error>& errors) {
    for (const Error& error : errors) TINE_CHECK(!error.message.empty());
    return 0;
  };
  const std::string text(reinterpret_cast<const char*>(data), size);
  auto unit = script::compile(*script::parsePartly(text, "text"), ops);
  if (!unit) return check(unit.errors());
  auto verified = verify(*unit);
  TINE_CHECK_MSG(verified.ok(), verified ? "" : verified.error().str().c_str());
  return 0;
}
