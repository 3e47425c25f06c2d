#include "tensor/device.h"

#include "support/error.h"

#include <iterator>

namespace tine {

namespace {
constexpr llvm::StringRef kNames[] = {
#define TINE_DEVICE(name) name,
#include "tensor/device.def"
};
} // namespace

llvm::StringRef Device::kindName() const {
  TINE_CHECK(kind < std::size(kNames));
  return kNames[kind];
}

std::string Device::str() const {
  return kindName().str() + (index < 0 ? "" : ":" + std::to_string(index));
}

std::optional<Device> deviceFromName(llvm::StringRef text) {
  const auto [kind, number] = text.split(':');
  Device device;
  if (kind.size() != text.size()) {
    std::int16_t index = 0;
    if (number.empty() || number.size() > 4 || number.getAsInteger(10, index) || index < 0)
      return std::nullopt;
    device.index = index;
  }
  for (std::size_t i = 0; i < std::size(kNames); ++i)
    if (kNames[i] == kind) {
      device.kind = static_cast<std::uint8_t>(i);
      return device;
    }
  return std::nullopt;
}

} // namespace tine
