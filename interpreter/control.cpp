#include "interpreter/control.h"

#include "interpreter/core.h"
#include "support/surely.h"
#include "tensor/delivery.h"

#include <algorithm>

namespace tine {

RunControl::RunControl(std::shared_ptr<Pending> pending, TaskContext context)
    : pending_(std::move(pending)), context_(std::move(context)),
      counted_(std::make_shared<std::atomic<Counted>>(Counted::No)) {}

std::shared_ptr<RunControl> RunControl::make(SchedulerCore& core, TaskContext context,
                                             const RunControl* around) {
  const CancelToken given = std::exchange(context.cancel, CancelToken::make());
  const CancelToken own = context.cancel;
  if (around && around->context_.deadline)
    context.deadline =
        std::min(context.deadline.value_or(*around->context_.deadline), *around->context_.deadline);
  std::shared_ptr<RunControl> control(new RunControl(core.pending, std::move(context)));

  control->guards_[0] = own.onCancel(
      [pending = core.pending, counted = control->counted_, roots = control->roots_, own] {
        {
          Counted no = Counted::No;
          std::lock_guard lock(pending->mutex);
          if (!pending->core || !counted->compare_exchange_strong(no, Counted::Yes)) return;
          pending->core->numStopping.fetch_add(1, std::memory_order_acq_rel);
          pending->core->requestStop();
        }
        roots->fail(own.sharedError());
      });
  const auto follow = [&](const CancelToken& token) {
    return token.onCancel([token, own] { own.cancel(token.sharedError()); });
  };
  control->guards_[1] = follow(given);
  if (around) control->guards_[2] = follow(around->context_.cancel);

  if (control->context_.deadline) {
    const auto passed = [own] {
      own.cancel(surely([] {
        return std::make_shared<const Error>(error_kind::Timeout, "the deadline has passed");
      }));
    };
    const auto now = TaskContext::Clock::now();
    if (*control->context_.deadline <= now) {
      passed();
    } else {
      control->timer_ = core.deadlines.add(*control->context_.deadline - now, passed);
      control->timed_ = true;
    }
  }
  return control;
}

void RunControl::add(FutureState& root) {
  try {
    std::lock_guard lock(roots_->mutex);
    roots_->tasks.emplace_back(&root);
  } catch (const std::bad_alloc&) {
    return; // a worker sees it when it comes to the task
  }
  if (isStopped()) roots_->fail(error()); // perhaps before it was there
}

void RunControl::Roots::remove(FutureState& root) {
  Ref<FutureState> dropped; // outside of the lock
  std::lock_guard lock(mutex);
  for (Ref<FutureState>& task : tasks)
    if (task.get() == &root) {
      dropped = std::move(task);
      task = std::move(tasks.back());
      return tasks.pop_back();
    }
}

void RunControl::Roots::fail(const std::shared_ptr<const Error>& error) {
  std::vector<Ref<FutureState>> all;
  {
    std::lock_guard lock(mutex);
    all.swap(tasks);
  }
  const Delivery delivery(Delivery::Scope::Registration); // what comes of it, without the scheduler
  for (const Ref<FutureState>& root : all)
    Pool::of(*root)->withCore([&](SchedulerCore& core) {
      if (!root->claim()) return;
      root->markObserved(); // who waits for the run hears of it
      core.failUnstarted(*root, error, nullptr);
    });
}

RunControl::~RunControl() {
  const bool counted = counted_->exchange(Counted::Over) == Counted::Yes;
  std::lock_guard lock(pending_->mutex);
  if (!pending_->core) return;
  if (timed_) pending_->core->deadlines.cancel(timer_);
  if (counted) pending_->core->numStopping.fetch_sub(1, std::memory_order_acq_rel);
}

} // namespace tine
