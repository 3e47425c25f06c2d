#include "interpreter/prospects.h"

#include <algorithm>

namespace tine {
namespace {

constexpr std::size_t kListed = 200;                      // different ones who wait
constexpr std::size_t kInnerCalls = 16, kOuterCalls = 16; // of each

std::string placeText(const FunctionCode& function, std::uint32_t pc) {
  const Place place = function.place(pc);
  return function.name + (place.known() ? " at " + place.str() : "");
}

std::string placeText(const Frame& frame, const Instr* at) {
  return placeText(*frame.function, static_cast<std::uint32_t>(at - frame.function->instrs.data()));
}

/// The frames of a chain, a task at a time.
template <class F>
void forTasks(const Frame* top, bool operates, const FutureState* awaited, const F& f) {
  const Instr* at = top ? top->pc - operates : nullptr;
  if (!top) return f(Prospects::Waiting{nullptr, nullptr, nullptr, awaited, operates});
  while (top) {
    const Frame* first = top;
    while (!first->first) first = first->caller;
    f(Prospects::Waiting{top, first, at, awaited, operates});
    awaited = first->task;
    top = first->caller;
    at = top ? top->pc : nullptr;
    operates = false;
  }
}

} // namespace

std::string placeOf(const Frame& frame) { return placeText(frame, frame.pc); }

std::string describe(const SchedulerCore& core, const FutureState& future) {
  std::string text;
  const FutureState* at = &future;
  for (int level = 0;; ++level) {
    const Pool* home = Pool::of(*at);
    if (!home) {
      const auto origin = originOfPromise(*at);
      return text + (origin ? "a promise that nobody completes, made in " + origin->str()
                            : "a promise of C++");
    }
    if (home != core.pool) {
      if (home->isElsewhere()) return text + "a future of another process";
      return text + "a future of another scheduler";
    }
    if (at->payload[0]) {
      const Site& site = siteOf(*at);
      text += "task " + site.target->name;
      if (site.home) text += ", forked in " + placeText(*site.home, site.pc);
      return text;
    }
    if (!at->payload[1] || level == 8) return text + "another future";
    const auto& derived = *static_cast<const Derived*>(at->payload[1]);
    text += derived.str();
    const auto waits = [](const Derived::Input& input) { return input.source != nullptr; };
    const auto first = std::find_if(derived.inputs.begin(), derived.inputs.end(), waits);
    if (first == derived.inputs.end()) return text;
    text += ", which waits for ";
    const auto count = std::count_if(first, derived.inputs.end(), waits);
    if (count > 1) text += std::to_string(count) + " futures, the first of them ";
    at = first->source;
  }
}

Prospects::Prospects(SchedulerCore& core, llvm::ArrayRef<Worker*> workers)
    : Prospects(core, workers, Only::List) {
  exploreAll();
  if (!promises_.empty()) countHandles();
  propagate();
  for (const Chain& chain : chains_)
    if (!chain.goesOn && chain.wait) hopeless_.insert({chain.worker, chain.wait->number});
}

Prospects::Prospects(SchedulerCore& core, llvm::ArrayRef<Worker*> workers, Only)
    : core_(core), lockPending_(core.pending->mutex) {
  // Others hold one of these, and take no other lock then.
  for (Worker* worker : workers) lockWaits_.emplace_back(worker->waitsMutex);
  for (std::uint32_t i = 0; i < workers.size(); ++i) {
    for (const Wait* wait = workers[i]->waits; wait; wait = wait->following)
      if (wait->state.isWaiting()) add({wait->future, wait->frame, wait, nullptr, i});
    for (const StandingWait* wait = workers[i]->standing; wait; wait = wait->following)
      add({wait->future, wait->frame, nullptr, wait, i});
  }
}

void Prospects::add(Chain chain) {
  const auto index = static_cast<std::uint32_t>(chains_.size());
  chains_.push_back(chain);
  for (const Frame* frame = chain.top; frame; frame = frame->caller)
    if (frame->first) tasks_[frame->task] = index;
}

// ---- what depends on what -----------------------------------------------------------------------

void Prospects::exploreAll() {
  for (std::uint32_t i = 0; i < chains_.size(); ++i) {
    futures_[chains_[i].awaited].waiting.push_back(i);
    toExplore_.push_back(chains_[i].awaited);
  }
  std::unordered_map<const FutureState*, bool> seen;
  const auto exploreRest = [&] {
    while (!toExplore_.empty()) {
      const FutureState* future = toExplore_.back();
      toExplore_.pop_back();
      if (seen.try_emplace(future, true).second) explore(*future);
    }
  };
  exploreRest();
  if (promises_.empty()) return;
  // Callbacks that nobody waits for may complete promises, too.
  for (const Derived* derived = core_.pending->first; derived; derived = derived->following)
    if (derived->future) toExplore_.push_back(derived->future.get());
  exploreRest();
}

void Prospects::explore(const FutureState& future) {
  if (future.done()) return goOn(future); // it is about to wake whoever waits
  const Pool* home = Pool::of(future);
  if (!home) {
    if (originOfPromise(future))
      promises_.push_back(&future);
    else
      goOn(future); // C++ has it
    return;
  }
  if (home != core_.pool) {
    mayChange_ = true;
    if (home->isElsewhere()) return;
    goOn(future);
    if (home->hasWorkers()) return;
    const auto same = [&](const Ref<FutureState>& other) { return Pool::of(*other) == home; };
    if (std::none_of(withoutWorkers_.begin(), withoutWorkers_.end(), same))
      withoutWorkers_.emplace_back(const_cast<FutureState*>(&future));
    return;
  }
  if (future.payload[0]) {
    if (!tasks_.count(&future)) goOn(future); // it does not wait
    return;
  }
  const auto* derived = static_cast<const Derived*>(future.payload[1]);
  if (!derived) return goOn(future); // somebody is completing it
  if (derived->timed) goOn(future);
  futures_[&future].derived = derived;
  mayChange_ |= derived->inputs.size() > 1;
  bool waits = false;
  for (const Derived::Input& input : derived->inputs) {
    if (!input.source) continue;
    waits = true;
    futures_[input.source].derivedFrom.push_back(&future);
    toExplore_.push_back(input.source);
  }
  if (!waits) goOn(future);
}

// ---- handles ------------------------------------------------------------------------------------

void Prospects::forContents(Tag tag, const void* payload,
                            llvm::function_ref<void(const IValue&)> f) {
  if (tag == Tag::List) {
    for (const IValue& item : static_cast<const List*>(payload)->items) f(item);
  } else if (tag == Tag::Tuple) {
    for (const IValue& item : static_cast<const Tuple*>(payload)->items) f(item);
  } else if (tag == Tag::Dict) {
    for (const auto& [key, item] : static_cast<const Dict*>(payload)->items) f(item);
  } else if (tag == Tag::Object) {
    for (const IValue& item : static_cast<const Object*>(payload)->slots) f(item);
  } else if (tag == Tag::Future) {
    const auto& future = *static_cast<const FutureState*>(payload);
    if (future.done() && !future.failed()) f(future.value());
  }
}

bool Prospects::isKnown(const void* payload, const Handles& handles) const {
  // Every counted payload begins with its count.
  return handles.counted >= static_cast<const RefCount*>(payload)->value();
}

void Prospects::count(Tag tag, const void* payload) {
  Handles& handles = handles_[payload];
  handles.tag = tag;
  const bool before = isKnown(payload, handles);
  ++handles.counted;
  // What others have a handle of they may be changing.
  if (!before && isKnown(payload, handles)) known_.emplace_back(tag, payload);
}

namespace {
/// The payload of what may hold futures, or null.
const void* payloadOf(const IValue& value) {
  if (value.isFuture()) return &value.asFuture();
  if (value.isList()) return &value.toList();
  if (value.isTuple()) return &value.toTuple();
  if (value.isDict()) return &value.toDict();
  if (value.isObject()) return &value.toObject();
  return nullptr;
}

void forRegisters(Frame* top, llvm::function_ref<void(const IValue&)> f) {
  for (Frame* frame = top; frame; frame = frame->caller)
    for (std::uint32_t i = 0; i < frame->function->numRegisters; ++i) f(frame->registers()[i]);
}
} // namespace

void Prospects::count(const IValue& value) {
  if (const void* payload = payloadOf(value)) count(value.tag(), payload);
}

void Prospects::countHandles() {
  for (const Chain& chain : chains_) {
    forRegisters(chain.top, [&](const IValue& value) { count(value); });
    if (!chain.wait || chain.wait->who != Wait::Who::Frames) count(Tag::Future, chain.awaited);
  }
  for (const Derived* derived = core_.pending->first; derived; derived = derived->following)
    for (const IValue& value : derived->captured) count(value);
  while (!known_.empty()) {
    const auto [tag, payload] = known_.back();
    known_.pop_back();
    forContents(tag, payload, [&](const IValue& value) { count(value); });
  }
  for (const FutureState* promise : promises_) {
    if (isKnown(promise, handles_[promise])) continue;
    mayChange_ = true; // the handle may go
    goOn(*promise);
  }
}

void Prospects::hold(const IValue& value) {
  const void* payload = payloadOf(value);
  if (!payload) return;
  const auto found = handles_.find(payload);
  if (found == handles_.end() || found->second.held) return;
  found->second.held = true;
  if (value.isFuture() && originOfPromise(value.asFuture())) goOn(value.asFuture());
  // What is in others, whose handles are not all known, has been found to be held already.
  if (isKnown(payload, found->second)) toHold_.emplace_back(value.tag(), payload);
}

// ---- who may go on ------------------------------------------------------------------------------

void Prospects::goOn(const FutureState& future) {
  if (!std::exchange(futures_[&future].goesOn, true)) toGoOn_.push_back(&future);
}

void Prospects::propagate() {
  while (!toGoOn_.empty() || !toHold_.empty()) {
    if (!toHold_.empty()) {
      const auto [tag, payload] = toHold_.back();
      toHold_.pop_back();
      forContents(tag, payload, [&](const IValue& value) { hold(value); });
      continue;
    }
    const Future& future = futures_[toGoOn_.back()];
    toGoOn_.pop_back();
    if (future.derived)
      for (const IValue& value : future.derived->captured) hold(value);
    for (const FutureState* other : future.derivedFrom) goOn(*other);
    for (const std::uint32_t index : future.waiting) {
      Chain& chain = chains_[index];
      if (std::exchange(chain.goesOn, true)) continue;
      for (const Frame* frame = chain.top; frame; frame = frame->caller)
        if (frame->first) goOn(*frame->task);
      if (!promises_.empty()) forRegisters(chain.top, [&](const IValue& value) { hold(value); });
    }
  }
}

bool Prospects::isHopeless(const StandingWait& wait) const {
  return std::any_of(chains_.begin(), chains_.end(),
                     [&](const Chain& chain) { return chain.standing == &wait && !chain.goesOn; });
}

// ---- as text ------------------------------------------------------------------------------------

std::vector<Prospects::Waiting> Prospects::all(bool hopeless) const {
  std::vector<Waiting> waiting;
  for (const Chain& chain : chains_) {
    if (hopeless && chain.goesOn) continue;
    // A thread that waits for one of the tasks comes sooner or later, and knows no more than that.
    if (hopeless && !chain.top && tasks_.count(chain.awaited)) continue;
    const bool operates = !chain.wait || chain.wait->who != Wait::Who::Frames;
    forTasks(chain.top, operates, chain.awaited, [&](const Waiting& w) { waiting.push_back(w); });
  }
  return waiting;
}

std::string Prospects::lines(const SchedulerCore& core, const std::vector<Waiting>& waiting) {
  struct Line {
    const Waiting* first;
    std::size_t count;
  };
  std::vector<Line> listed;
  std::unordered_map<std::uint64_t, std::size_t> index;
  std::size_t others = 0;
  for (const Waiting& w : waiting) {
    // The same calls at the same places, and the same awaited: one line for all.
    std::uint64_t key = w.operates;
    const auto mix = [&](auto part) {
      key = (key ^ static_cast<std::uint64_t>(part)) * 0x9E3779B97F4A7C15u;
      key ^= key >> 29;
    };
    mix(reinterpret_cast<std::uintptr_t>(w.at));
    for (const Frame* frame = w.top; frame && frame != w.first; frame = frame->caller)
      mix(reinterpret_cast<std::uintptr_t>(frame->caller->pc));
    if (w.first) {
      const Site& site = siteOf(*w.first->task);
      mix(reinterpret_cast<std::uintptr_t>(site.home));
      mix(site.pc);
    }
    if (!w.awaited) {
      mix(1);
    } else if (Pool::of(*w.awaited) == core.pool && w.awaited->payload[0]) {
      const Site& site = siteOf(*w.awaited);
      mix(reinterpret_cast<std::uintptr_t>(site.target));
      mix(reinterpret_cast<std::uintptr_t>(site.home));
      mix(site.pc);
    } else {
      mix(std::hash<std::string>()(describe(core, *w.awaited)));
    }
    const auto [found, isNew] = index.try_emplace(key, listed.size());
    if (!isNew)
      ++listed[found->second].count;
    else if (listed.size() < kListed)
      listed.push_back({&w, 1});
    else
      ++others, index.erase(key);
  }
  std::string text;
  for (const Line& line : listed) {
    const Waiting& w = *line.first;
    text += "\n  ";
    if (w.top)
      text += placeText(*w.top, w.at);
    else
      text += "a thread outside";
    text += w.awaited ? " waits for " + describe(core, *w.awaited) : " runs";
    if (line.count > 1) text += " (" + std::to_string(line.count) + " of these)";
    if (!w.top) continue;
    std::vector<std::string> calls;
    for (const Frame* frame = w.top; frame != w.first; frame = frame->caller) {
      const Frame& caller = *frame->caller;
      calls.push_back("\n    called in " + placeText(caller, caller.pc - 1));
    }
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (i == kInnerCalls && calls.size() > kInnerCalls + kOuterCalls) {
        text += "\n    ...";
        i = calls.size() - kOuterCalls;
      }
      text += calls[i];
    }
    const Site& site = siteOf(*w.first->task);
    if (site.home) text += "\n    forked in " + placeText(*site.home, site.pc);
  }
  if (others) text += "\n  and " + std::to_string(others) + " more";
  return text;
}

std::string Prospects::running(const SchedulerCore& core, const Frame& top) {
  std::vector<Waiting> chain;
  forTasks(&top, true, nullptr, [&](const Waiting& w) { chain.push_back(w); });
  return lines(core, chain);
}

std::shared_ptr<const Error> Prospects::deadlock() const {
  const std::vector<Waiting> waiting = all(true);
  if (waiting.empty()) return nullptr;
  const bool everybody =
      std::none_of(chains_.begin(), chains_.end(), [](const Chain& chain) { return chain.goesOn; });
  const std::string count = std::to_string(waiting.size());
  const std::string waits = waiting.size() == 1 ? " waits" : " wait";
  return std::make_shared<const Error>(
      error_kind::Deadlock,
      (everybody ? "nothing can run, and " + count + waits + ":"
                 : count + waits + " for what nobody can complete any more:") +
          lines(core_, waiting));
}

} // namespace tine
