#pragma once

#include <cstdint>

namespace tine::testing {

/// While it lives, of the calls of operator new, whatever thread makes them, those fail whose
/// number, from 1, is in [first, first + count).
class Failing {
public:
  Failing(std::int64_t first, std::int64_t count);
  ~Failing();
  Failing(const Failing&) = delete;
  /// How many there were.
  std::int64_t asked() const;
};

} // namespace tine::testing
