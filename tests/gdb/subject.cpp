// A process for gdb: its tasks wait in every way there is, and then it calls `tasksWait`.

#include "interpreter/promise.h"
#include "interpreter/scheduler.h"
#include "ir/parse.h"
#include "ops/ops.h"

#include <cstdio>
#include <thread>

namespace {
constexpr const char* kPrograms = R"(parked(%p : Future[int]):
  %f : Future[int] = prim::fork_0(%p) # parked.py:2:4
  %r : int = aten::wait(%f) # parked.py:3:4
  return (%r)
with prim::fork_0 = graph(%p : Future[int]):
  %inner : Function = prim::Constant[name="inner"]()
  %r : int = prim::CallFunction(%inner, %p) # parked.py:6:8
  return (%r)

inner(%p : Future[int]):
  %r : int = aten::wait(%p) # inner.py:7:8
  return (%r)

suspended(%n : int):
  %p : Future[int] = tine::promise() # suspended.py:2:4
  %r : int = test::wait(%p) # suspended.py:3:4
   = tine::complete(%p, %n)
  return (%r)
)";
} // namespace

/// Where gdb stops.
extern "C" [[gnu::noinline]] void tasksWait() { std::puts("all wait"); }

int main() {
  using namespace tine;
  auto ops = std::make_shared<OpSet>(OpSet::builtin());
  Promise other;
  ops->add("test::wait(Future(int) f) -> int",
           [&](Ref<FutureState>) { return waitNative(*other.future()).toInt(); });
  const auto code = compile(parse(kPrograms, "subject.ir").value(), ops).value();
  Promise promise;
  Scheduler scheduler({.workers = 2});
  const auto parked = scheduler.run(code, "parked", {promise.future()});
  const auto suspended = scheduler.run(code, "suspended", {1});
  std::thread outside([&] { scheduler.waitDone(*parked); });
  while (scheduler.dump().rfind("4 waits:", 0) != 0) std::this_thread::yield();
  tasksWait();
  promise.complete(1);
  other.complete(2);
  outside.join();
  return scheduler.wait(*suspended).toInt() == 2 ? 0 : 1;
}
