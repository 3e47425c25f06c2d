#include "support/surely.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace tine {

void OutOfMemory::wait() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kPatience(10);
  if (since_ == Clock::time_point()) since_ = Clock::now();
  if (Clock::now() - since_ > kPatience) {
    std::fputs("tine: no memory is left to go on with, nor to say so to the program\n", stderr);
    std::abort();
  }
  ::usleep(100);
}

} // namespace tine
