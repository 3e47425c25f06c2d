#include "tensor/delivery.h"

#include <iterator>

namespace tine {

namespace {
constinit thread_local Delivery* innermost = nullptr;
} // namespace

Delivery::Delivery(Scope scope)
    : outer_(innermost), scope_(scope), active_(!innermost || scope != Scope::Completion) {
  if (active_) innermost = this;
}

Delivery::~Delivery() {
  if (!active_) return;
  if (!outer_ || scope_ == Scope::Registration) {
    run();
  } else {
    const auto rest = queue_.begin() + static_cast<std::ptrdiff_t>(next_);
    surely([&] {
      outer_->queue_.insert(outer_->queue_.end(), std::make_move_iterator(rest),
                            std::make_move_iterator(queue_.end()));
    });
  }
  innermost = outer_;
}

void Delivery::put(std::function<void()> f) {
  const Delivery scope;
  surely([&] { innermost->queue_.push_back(std::move(f)); });
}

void Delivery::flush() {
  if (innermost) innermost->run();
}

void Delivery::run() {
  while (next_ < queue_.size()) {
    const std::function<void()> f = std::move(queue_[next_++]);
    if (next_ == queue_.size()) {
      queue_.clear();
      next_ = 0;
    }
    f();
  }
}

} // namespace tine
