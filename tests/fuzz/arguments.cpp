// Any bytes as an argument of `tine run`: a value, whose text reads back, or an error with a place.
#include "tools/arguments.h"

using namespace tine;

namespace {

bool hasTensor(const IValue& value) {
  auto any = [](const std::vector<IValue>& items) {
    for (const IValue& item : items)
      if (hasTensor(item)) return true;
    return false;
  };
  if (value.isList()) return any(value.toList().items);
  if (value.isTuple()) return any(value.toTuple().items);
  if (value.isDict())
    for (const auto& [key, mapped] : value.toDict().items)
      if (hasTensor(mapped)) return true;
  return value.isTensor();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tools::ArgumentReader reader(0, 1 << 16);
  llvm::StringRef text(reinterpret_cast<const char*>(data), size);
  const auto value = reader.read(text, "argument");
  if (!value) {
    TINE_CHECK(value.error().place.known() && !value.error().str().empty());
    return 0;
  }
  if (hasTensor(*value)) return 0; // prints in part
  const auto again = reader.read(value->str(), "again");
  TINE_CHECK(again.ok() && again->str() == value->str());
  return 0;
}
