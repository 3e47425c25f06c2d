#include "interpreter/schedule.h"

#include "support/error.h"
#include "support/random.h"

#include <iterator>

namespace tine {

Schedule Schedule::seeded(std::uint64_t seed) {
  RandomStream random(seed);
  // Some bugs need many switches, some need few.
  constexpr std::uint64_t kRarities[] = {1, 2, 2, 3, 4, 8, 16, 64};
  const std::uint64_t rarity = kRarities[random.below(std::size(kRarities))];
  return chosenBy([random, rarity](const Choice& choice) mutable -> std::uint32_t {
    switch (choice.kind) {
    case Choice::Kind::Next:
      return static_cast<std::uint32_t>(random.below(choice.count));
    case Choice::Kind::Preempt:
      break;
    }
    if (random.below(rarity) != 0) return 0;
    return 1 + static_cast<std::uint32_t>(random.below(choice.count - 1));
  });
}

Schedule Schedule::chosenBy(Chooser chooser) {
  Schedule schedule;
  schedule.chooser_ = std::move(chooser);
  return schedule;
}

std::uint32_t Schedule::choose(const Choice& choice) const {
  const std::uint32_t chosen = chooser_(choice);
  TINE_CHECK_MSG(chosen < choice.count, "a schedule chooses what there is not");
  return chosen;
}

} // namespace tine
