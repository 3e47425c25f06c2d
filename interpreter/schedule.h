#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <functional>
#include <string>

namespace tine {

/// In which order tasks go on when several could. Chosen ones run on one thread, without workers:
/// at every fork, operator, call, wait and loop edge another task may go on instead.
///
///   Scheduler scheduler({.schedule = Schedule::seeded(7)});   // one order, the same each time
///
/// Of what the contract of fork and wait leaves open everything may happen: which task that could
/// go on does, whether a fork starts at once, when it is waited for, or in between, and where a
/// task is interrupted. Callbacks of one future start in their order. No time passes before all
/// tasks wait: then the first of the limits that they wait for has passed.
class Schedule {
public:
  struct Choice {
    enum class Kind : std::uint8_t {
      Next,    ///< which one goes on
      Preempt, ///< 0: the one that runs goes on; else another
    } kind;
    std::uint32_t count; ///< of what there is to choose from: at least 2
    /// What the choice stands for, as `main at t.ir:3:8`.
    llvm::function_ref<std::string(std::uint32_t)> what;
  };
  /// Returns a number below the choice's count. Not called by two threads at once; must not throw,
  /// and must not use the scheduler.
  using Chooser = std::function<std::uint32_t(const Choice&)>;

  /// The scheduler's own.
  Schedule() = default;
  /// Everything by a generator of random numbers; seeds also differ in how often they preempt.
  static Schedule seeded(std::uint64_t seed);
  /// For who explores schedules in an order of his own. Always 0: nobody is preempted; what waits
  /// goes on before what is new, and then the oldest first.
  static Schedule chosenBy(Chooser chooser);

  explicit operator bool() const { return static_cast<bool>(chooser_); }
  /// \pre it is chosen
  std::uint32_t choose(const Choice& choice) const;

private:
  Chooser chooser_;
};

} // namespace tine
