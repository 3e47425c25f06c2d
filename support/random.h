#pragma once

#include <cstdint>

namespace tine {

/// Pseudo-random numbers from a seed: the same on every machine.
///
///   RandomStream stream(7);
///   RandomStream child = stream.split();   // its numbers have nothing to do with stream's
///   double x = stream.uniform();
///
/// \source Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators (SplitMix64)
class RandomStream {
public:
  explicit RandomStream(std::uint64_t seed) : state_(mix(seed + kStep)) {}

  std::uint64_t next() { return mix(state_ += kStep); }
  /// 0 <= x < n. \pre n > 0
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  /// 0 <= x < 1, with 53 random bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// For who keeps it as a number.
  std::uint64_t state() const { return state_; }
  static RandomStream resume(std::uint64_t state) {
    RandomStream stream(0);
    stream.state_ = state;
    return stream;
  }
  /// A stream of its own. Takes one number, so that the next split gives another.
  RandomStream split() { return RandomStream(next() ^ kSplit); }

private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15, kSplit = 0x6a09e667f3bcc909;
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  std::uint64_t state_;
};

} // namespace tine
