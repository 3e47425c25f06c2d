#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tine {

/// A device as an IValue carries it: the kind (its row in device.def) and an index.
///
///   deviceFromName("cuda:1")->str();                    // "cuda:1"
///   IValue::device(deviceFromName("cpu")->code());      // IValue::device(0)
struct Device {
  std::uint8_t kind = 0;
  std::int16_t index = -1; ///< -1: none given

  static Device fromCode(std::int64_t code) {
    return {static_cast<std::uint8_t>(code), static_cast<std::int16_t>((code >> 8) - 1)};
  }
  std::int64_t code() const { return kind | (std::int64_t{index} + 1) << 8; }
  llvm::StringRef kindName() const;
  std::string str() const; ///< `cpu`, `cuda:1`
};

/// Reads `cpu`, `cuda:1`, ...; nullopt for anything else.
std::optional<Device> deviceFromName(llvm::StringRef text);

} // namespace tine
