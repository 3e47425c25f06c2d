#include "interpreter/derived.h"

#include "interpreter/core.h"
#include "interpreter/native_wait.h"
#include "interpreter/profile.h"
#include "ir/parse.h"
#include "ops/ops.h"
#include "support/surely.h"
#include "tensor/delivery.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unordered_set>

namespace tine {
namespace {

std::shared_ptr<const Error> shutdown() {
  return surely([] {
    return std::make_shared<const Error>(error_kind::Shutdown, "the scheduler was destroyed");
  });
}

const char* nameOf(Derived::Kind kind) {
  switch (kind) {
  case Derived::Kind::Then:
    return "a then";
  case Derived::Kind::FailFast:
    return "a collect_all";
  case Derived::Kind::Settle:
    return "a collect_all_settle";
  case Derived::Kind::First:
    return "a wait_any";
  case Derived::Kind::Limit:
    return "a wait_timeout";
  }
  return "";
}

// ---- C++ callbacks as values --------------------------------------------------------------------

void destroyBox(FutureState* box) {
  delete static_cast<FutureCallback*>(box->payload[0]);
  delete box;
}
constexpr TaskKind kBox{"callback", destroyBox};

/// The interpreter has no value for C++ functions: a future that is never completed holds one.
IValue boxOf(FutureCallback callback) {
  auto box = Ref<FutureState>::adopt(new FutureState(FutureState::Phase::Running, &kBox));
  box->payload[0] = new FutureCallback(std::move(callback));
  return IValue(box);
}

void callBoxed(const KernelCall& call) {
  const auto& callback = *static_cast<const FutureCallback*>(call[0].asFuture().payload[0]);
  call.setResult(0, callback(call[1]));
}

constexpr const char* kCallback = R"(callback(%callback : Any, %value : Any):
  %result : Any = tine::callback(%callback, %value)
  return (%result)
)";

/// Where a future derived from these belongs.
SchedulerCore* coreOf(llvm::ArrayRef<FutureState*> sources) {
  if (currentWorker) return &currentWorker->core;
  for (FutureState* source : sources)
    if (Pool* pool = Pool::of(*source))
      if (SchedulerCore* core = pool->core()) return core;
  return nullptr;
}

std::shared_ptr<Derived> derive(SchedulerCore* core, Derived::Kind kind, const Origin& origin,
                                std::size_t count) {
  auto derived = std::make_shared<Derived>(
      kind, core ? core->pending : std::make_shared<Pending>(nullptr), origin, count);
  derived->future = runningFuture(core);
  return derived;
}

Derived::Kind kindOf(Collect how) {
  switch (how) {
  case Collect::FailFast:
    return Derived::Kind::FailFast;
  case Collect::Settle:
    return Derived::Kind::Settle;
  case Collect::First:
    break;
  }
  return Derived::Kind::First;
}

/// `futures`: all handles that are given away with the call.
Ref<FutureState> collectFrom(SchedulerCore* core, const Origin& origin, Collect how,
                             std::vector<Ref<FutureState>> futures) {
  llvm::SmallVector<FutureState*, 16> sources;
  for (const Ref<FutureState>& future : futures) sources.push_back(future.get());
  if (sources.empty() && how == Collect::First) raise(error_kind::Value, "the first of no futures");
  auto derived = derive(core, kindOf(how), origin, sources.size());
  Ref<FutureState> future = derived->future;
  if (sources.empty())
    derived->take()->complete(IValue::list({}));
  else
    derived->start(sources);
  if (how == Collect::FailFast && future->failed()) cancelUnneeded(std::move(futures));
  return future;
}

std::shared_ptr<const Error> timeout(double seconds) {
  char text[80];
  std::snprintf(text, sizeof(text), "the future is not done after %g s", seconds);
  return surely([&] { return std::make_shared<const Error>(error_kind::Timeout, text); });
}

} // namespace

std::string Origin::str() const {
  if (!function) return std::string(where.file_name()) + ":" + std::to_string(where.line());
  const Place place = function->place(pc);
  return function->name + (place.known() ? " at " + place.str() : "");
}

Ref<FutureState> promiseOf(Worker& worker, Frame* frame, const Origin& origin) {
  auto promise = Ref<FutureState>::adopt(worker.allocatePromise());
  worker.addToRun(frame->run); // for the function's sake
  promise->payload[0] = const_cast<FunctionCode*>(origin.function);
  promise->payload[1] = frame->run;
  promise->payload[2] = reinterpret_cast<void*>(std::uintptr_t(origin.pc));
  return promise;
}

std::string brokenPromise(const FutureState& promise) {
  return "the promise made in " + originOfPromise(promise)->str() + " was dropped";
}

std::optional<Origin> originOfPromise(const FutureState& future) {
  if (!future.kind() || !future.kind()->broken) return std::nullopt;
  return Origin{static_cast<const FunctionCode*>(future.payload[0]),
                static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(future.payload[2]))};
}

Ref<FutureState> runningFuture(SchedulerCore* core) {
  if (!core) return Ref<FutureState>::adopt(new FutureState(FutureState::Phase::Running));
  Worker* worker = currentWorker && &currentWorker->core == core ? currentWorker : nullptr;
  FutureState* state;
  if (worker) {
    state = worker->allocateTask();
  } else {
    state = static_cast<FutureState*>(core->pool->allocate(Pool::kTasks));
    countLive(Live::Future, 1);
  }
  std::fill(std::begin(state->payload), std::end(state->payload), nullptr);
  state->renewRunning(1);
  return Ref<FutureState>::adopt(state);
}

bool endsOutside(SchedulerCore& core, const FutureState& future) {
  std::vector<const FutureState*> open{&future};
  std::unordered_set<const FutureState*> seen;
  std::lock_guard lock(core.pending->mutex);
  while (!open.empty()) {
    const FutureState& at = *open.back();
    open.pop_back();
    if (!seen.insert(&at).second) continue;
    if (at.done()) return true;
    const Pool* const home = Pool::of(at);
    if (!home) {
      if (!originOfPromise(at)) return true; // C++ has it
    } else if (home != core.pool) {
      if (home->hasWorkers()) return true;
    } else if (!at.payload[0]) {
      const auto* derived = static_cast<const Derived*>(at.payload[1]);
      if (!derived || derived->timed) return true;
      if (derived->kind == Derived::Kind::Then) continue; // a task will
      for (const Derived::Input& input : derived->inputs)
        if (input.source) open.push_back(input.source);
    }
  }
  return false;
}

// ---- the derived futures of a scheduler ---------------------------------------------------------

void Pending::close() {
  std::lock_guard lock(mutex);
  core = nullptr;
  closed = true;
}

void Pending::failAll(const std::shared_ptr<const Error>& error) {
  for (;;) {
    std::shared_ptr<Derived> derived;
    // What a callback holds may be what it waits for.
    FutureCallback callback;
    std::vector<IValue> captured;
    {
      std::lock_guard lock(mutex);
      if (!first) return;
      derived = first->shared_from_this();
      callback.swap(derived->callback);
      captured.swap(derived->captured);
    }
    if (auto future = derived->take()) Delivery::after([future, error] { future->fail(error); });
  }
}

void Pending::leave(Derived& derived, std::vector<std::shared_ptr<Derived>>& removed) {
  (derived.previous ? derived.previous->following : first) = derived.following;
  if (derived.following) derived.following->previous = derived.previous;
  derived.previous = derived.following = nullptr;
  for (Derived::Input& input : derived.inputs) {
    if (!input.source || ++numStale < maxStale) continue;
    // Now and then, so that it costs no more than what they cost who waited.
    std::size_t numKept = 0;
    Waiter* waiter = input.source->removeWaiters([&](const Waiter& w) {
      const bool stale = isStale(w);
      numKept += !stale;
      return stale;
    });
    for (; waiter; waiter = waiter->next) {
      auto* stale = static_cast<Derived::Input*>(waiter);
      stale->source = nullptr;
      surely([&] { removed.push_back(std::move(stale->owner)); });
    }
    numStale = 0;
    if (shared) maxStale = std::max(kMinStale, numKept);
  }
}

bool Pending::isStale(const Waiter& waiter) const {
  if (waiter.fire != Derived::fire) return false;
  const Derived& owner = *static_cast<const Derived::Input&>(waiter).owner;
  return owner.pending.get() == this && !owner.future;
}

// ---- one ----------------------------------------------------------------------------------------

Derived::Derived(Kind k, std::shared_ptr<Pending> p, Origin o, std::size_t count)
    : kind(k), pending(std::move(p)), origin(o), inputs(count), left(count) {
  if (k == Kind::FailFast || k == Kind::Settle) results.resize(count);
}

Derived::~Derived() {
  if (run) run->release(1);
}

std::string Derived::str() const { return std::string(nameOf(kind)) + " in " + origin.str(); }

void Derived::start(llvm::ArrayRef<FutureState*> sources) {
  const auto self = shared_from_this();
  bool closed;
  {
    std::lock_guard lock(pending->mutex);
    closed = pending->closed;
    future->payload[1] = this;
    following = pending->first;
    if (following) following->previous = this;
    pending->first = this;
  }
  if (closed) return finish(shutdown());
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    inputs[i].index = i;
    add(inputs[i], *sources[i]);
  }
}

void Derived::add(Input& input, FutureState& source) {
  input.fire = fire;
  {
    std::lock_guard lock(pending->mutex);
    if (!future) return; // done by one before
    input.source = &source;
  }
  input.owner = shared_from_this();
  if (source.addWaiter(&input)) return;
  const Delivery delivery(Delivery::Scope::Registration);
  fire(&input, source);
}

void Derived::fire(Waiter* waiter, FutureState& source) {
  auto* input = static_cast<Input*>(waiter);
  const auto self = std::move(input->owner);
  {
    std::lock_guard lock(self->pending->mutex);
    input->source = nullptr;
  }
  self->arrived(input->index, source);
}

Ref<FutureState> Derived::take() {
  std::vector<std::shared_ptr<Derived>> removed; // end when the lock is gone
  std::lock_guard lock(pending->mutex);
  if (!future) return nullptr;
  Ref<FutureState> taken = std::move(future);
  taken->payload[1] = nullptr;
  for (Input& input : inputs) input.over.store(true);
  pending->leave(*this, removed);
  return taken;
}

void Derived::addSources(std::vector<Ref<FutureState>>& to) const {
  // Whoever computes them has a handle, and drops it only after this waiter, which needs the mutex.
  to.reserve(to.size() + inputs.size());
  for (const Input& input : inputs)
    if (input.source && Pool::of(*input.source)) to.emplace_back(input.source);
}

void Derived::inherit(const Frame& frame) {
  control = frame.run->control;
  stream = splitStream(*frame.task);
}

bool Derived::isMine(const FutureState& other) {
  std::lock_guard lock(pending->mutex);
  return future.get() == &other;
}

void Derived::arrived(std::uint32_t index, FutureState& source) {
  switch (kind) {
  case Kind::Then:
    return arrivedForThen(source);
  case Kind::FailFast:
    if (source.failed()) return fail(source);
    results[index] = source.value();
    break;
  case Kind::Settle:
    results[index] = IValue(Ref<FutureState>(&source));
    break;
  case Kind::Limit: {
    std::lock_guard lock(pending->mutex);
    if (timed && pending->core) pending->core->timers.cancel(timer);
  }
    return forward(source);
  case Kind::First:
    return forward(source);
  }
  if (left.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const IValue list = surely([] { return IValue::list({}); });
  list.toList().items = std::move(results);
  finish(list);
}

void Derived::forward(FutureState& source) {
  if (source.failed()) return fail(source);
  finish(source.value());
}

/// The source's error is this one's, and no longer its own.
void Derived::fail(FutureState& source) {
  std::vector<Ref<FutureState>> others;
  if (kind == Kind::FailFast) {
    std::lock_guard lock(pending->mutex);
    if (future) surely([&] { addSources(others); });
  }
  auto taken = take();
  if (!taken) return;
  source.markObserved();
  Delivery::after([taken, error = source.error()] { taken->fail(error); });
  if (!others.empty())
    Delivery::after([others = std::move(others)]() mutable { cancelUnneeded(std::move(others)); });
}

void Derived::finish(IValue value) {
  if (auto taken = take()) Delivery::after([taken, value] { taken->complete(value); });
}

void Derived::finish(std::shared_ptr<const Error> error) {
  if (auto taken = take()) Delivery::after([taken, error] { taken->fail(error); });
}

// ---- then ---------------------------------------------------------------------------------------

void Derived::arrivedForThen(FutureState& source) {
  if (source.failed()) return fail(source);
  switch (stage) {
  case Stage::Source:
    return call(source);
  case Stage::Call:
    return returned(source.value());
  case Stage::Returned:
    return finish(source.value());
  }
}

void Derived::call(FutureState& source) {
  stage = Stage::Call;
  bool closed;
  std::shared_ptr<const Error> error;
  {
    std::lock_guard lock(pending->mutex);
    if (!future || isCancelled) return;
    closed = pending->closed;
    SchedulerCore* core = pending->core;
    // A worker that completes a future is in the middle of something.
    if (!core && !closed && currentWorker) core = &currentWorker->core;
    if (core) {
      try {
        return startTask(*core, source);
      } catch (...) {
        error = currentError();
      }
    }
  }
  if (error) return finish(std::move(error));
  if (closed) return finish(shutdown());
  Delivery::after([self = shared_from_this(), value = source.value()] { self->callHere(value); });
}

void Derived::startTask(SchedulerCore& core, FutureState& source) {
  const IValue& value = source.value();
  Worker* worker = currentWorker && &currentWorker->core == &core ? currentWorker : nullptr;
  std::vector<IValue> arguments;
  if (callback) {
    run = new Run{{1}, core.callbackCode(), {}};
    run->root.target = &run->code->front();
    run->root.splits = run->code->draws();
    run->seed = stream.state();
    run->control = control;
    site = &run->root;
    arguments.push_back(boxOf(std::move(callback)));
    callback = nullptr;
    arguments.push_back(value);
  } else {
    arguments = std::move(captured);
    arguments.insert(arguments.begin() + static_cast<std::ptrdiff_t>(numBound), value);
    captured.clear();
  }
  FutureState* task = core.newTask(worker, *site, run, std::move(arguments), stream, true);
  run = nullptr; // the task's
  if (worker) ++worker->numTasks;
  inputs[0].owner = shared_from_this();
  inputs[0].source = task;
  task->renew(1, &inputs[0]);
  core.post(*task, &source);
}

void Derived::callHere(const IValue& value) {
  FutureCallback called;
  {
    std::lock_guard lock(pending->mutex);
    if (!future || isCancelled) return;
    called.swap(callback);
    if (future->done()) called = nullptr;
  }
  if (!called) {
    take();
    return;
  }
  IValue result;
  std::shared_ptr<const Error> error;
  {
    const Delivery delivery(Delivery::Scope::Call);
    try {
      result = called(value);
    } catch (...) {
      error = currentError();
    }
    called = nullptr;
  }
  if (error) return finish(std::move(error));
  returned(result);
}

void Derived::returned(const IValue& value) {
  if (!value.isFuture()) return finish(value);
  stage = Stage::Returned;
  const Ref<FutureState> inner = value.toFuture();
  if (isMine(*inner))
    return finish(surely([] {
      return std::make_shared<const Error>(error_kind::Value, "a future cannot wait for itself");
    }));
  add(inputs[0], *inner);
}

Ref<FutureState> thenOf(Worker& worker, Frame* frame, const Site& site, FutureState& source,
                        std::vector<IValue> captured, const FunctionCode* target,
                        std::size_t numBound) {
  auto derived = derive(&worker.core, Derived::Kind::Then, Origin{site.home, site.pc}, 1);
  if (target) {
    derived->run = new Run{{1}, frame->run->code, site, frame->run->seed, frame->run->control};
    derived->run->root.target = target;
    derived->site = &derived->run->root;
  } else {
    derived->run = frame->run;
    worker.addToRun(frame->run);
    derived->site = &site;
  }
  derived->captured = std::move(captured);
  derived->numBound = numBound;
  derived->stream = splitStream(*frame->task);
  Ref<FutureState> future = derived->future;
  derived->start(&source);
  return future;
}

Ref<FutureState> then(FutureState& future, FutureCallback f, Scheduler* scheduler,
                      std::source_location where) {
  SchedulerCore* core = scheduler ? &scheduler->core() : coreOf(&future);
  if (auto failed = SchedulerCore::failedElsewhere(core, &future)) return failed;
  auto derived = derive(core, Derived::Kind::Then, Origin{nullptr, 0, where}, 1);
  derived->callback = std::move(f);
  if (currentWorker && currentWorker->calling) derived->inherit(*currentWorker->calling);
  Ref<FutureState> result = derived->future;
  derived->start(&future);
  return result;
}

std::shared_ptr<const Code> SchedulerCore::callbackCode() {
  std::lock_guard lock(callbackMutex_);
  if (!callbackCode_) {
    auto ops = std::make_shared<OpSet>();
    ops->addKernel("tine::callback(Any callback, Any value) -> Any", Kernel(callBoxed),
                   Effects::all(), "");
    callbackCode_ = compile(parse(kCallback, "").value(), std::move(ops)).value();
    if (config.profile) config.profile->keep(callbackCode_);
  }
  return callbackCode_;
}

// ---- several ------------------------------------------------------------------------------------

Ref<FutureState> collectOf(Worker& worker, const Origin& origin, Collect how, IValue list) {
  std::vector<Ref<FutureState>> futures;
  for (const IValue& item : list.toList().items) {
    if (!item.isFuture())
      raise(error_kind::Type, std::string(name(item.tag())) + " in a list of futures");
    futures.push_back(item.toFuture());
  }
  list = IValue();
  return collectFrom(&worker.core, origin, how, std::move(futures));
}

Ref<FutureState> collect(Collect how, std::vector<Ref<FutureState>> futures, Scheduler* scheduler,
                         std::source_location where) {
  llvm::SmallVector<FutureState*, 16> sources;
  for (const Ref<FutureState>& future : futures) sources.push_back(future.get());
  SchedulerCore* core = scheduler ? &scheduler->core() : coreOf(sources);
  if (auto failed = SchedulerCore::failedElsewhere(core, sources)) return failed;
  return collectFrom(core, Origin{nullptr, 0, where}, how, std::move(futures));
}

// ---- with a limit -------------------------------------------------------------------------------

Ref<FutureState> limitOf(SchedulerCore& core, const Origin& origin, FutureState& source,
                         double seconds) {
  constexpr double kLongest = 1e9; // half a life
  if (std::isnan(seconds)) raise(error_kind::Value, "a timeout of nan seconds");
  seconds = std::clamp(seconds, 0.0, kLongest);
  auto derived = derive(&core, Derived::Kind::Limit, origin, 1);
  Ref<FutureState> future = derived->future;
  derived->start(&source);
  const std::chrono::nanoseconds delay(static_cast<std::int64_t>(seconds * 1e9));
  std::lock_guard lock(derived->pending->mutex);
  if (!derived->future || !derived->pending->core) return future;
  derived->timer = core.timers.add(delay, [derived, seconds] {
    if (auto taken = derived->take())
      Delivery::after([taken, error = timeout(seconds)] { taken->fail(error); });
  });
  derived->timed = true;
  return future;
}

IValue waitNative(FutureState& future, std::chrono::nanoseconds limit) {
  if (!future.done()) Delivery::flush();
  if (!future.done()) {
    SchedulerCore::mustBeHere(nullptr, future);
    const double seconds = std::chrono::duration<double>(limit).count();
    SchedulerCore* core = coreOf(&future);
    // A thread that is nobody's worker just blocks, unless tasks need it to run them, or, for what
    // the future is derived from, to be seen waiting.
    if (core && (currentWorker || core->config.workers == 0 || !future.payload[0])) {
      const auto limited = limitOf(*core, Origin{}, future, seconds);
      core->waitDone(*limited);
      return result(*limited);
    }
    if (!blockThread(future, limit)) throw RuntimeError(timeout(seconds));
  }
  return result(future);
}

} // namespace tine
