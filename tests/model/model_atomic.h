#pragma once

#include "tests/model/machine.h"

#include <type_traits>

namespace tine::model {

/// std::atomic on Relacy's memory: a load may see any value that C++20 allows, one that is up to
/// two stores old, and a compare-and-swap may fail because of such a value.
/// \source Relacy's `atomic`, of whose memory this uses the parts
template <class T> class ModelAtomic {
public:
  /// Nobody can see it before that.
  ModelAtomic(T value = T()) : data_(rl::ctx().atomic_ctor(this)) {
    const unsigned i = rl::ctx().threadx_->atomic_init(data_);
    // Relacy forgets to say that nobody has seen it, and so nobody could when it is old.
    std::fill_n(record(i).first_seen_order_, kThreads, static_cast<rl::timestamp_t>(-1));
    values_[i] = value;
    newest_ = value;
  }
  ModelAtomic(const ModelAtomic&) = delete;
  ~ModelAtomic() {
    alive_.check(RL_INFO);
    rl::ctx().atomic_dtor(data_);
  }

  T load(std::memory_order order, Where where = Where::current()) const {
    enter(where);
    const T value = look(order);
    note({"load", this, numberOf(newest_), numberOf(value), int(order)}, where);
    return value;
  }
  void store(T value, std::memory_order order, Where where = Where::current()) {
    enter(where);
    rl::thread_info_base& thread = *rl::ctx().threadx_;
    const T before = newest_;
    const unsigned i = order == std::memory_order_relaxed   ? thread.atomic_store_relaxed(data_)
                       : order == std::memory_order_release ? thread.atomic_store_release(data_)
                                                            : thread.atomic_store_seq_cst(data_);
    // Relacy has release sequences of C++11, which a thread's later stores belonged to.
    if (order == std::memory_order_relaxed)
      std::copy_n(thisThread().release_fence_order_, kThreads, record(i).acq_rel_order_);
    put(i, value, order);
    note({"store", this, numberOf(before), numberOf(value), int(order)}, where);
  }
  T exchange(T value, std::memory_order order, Where where = Where::current()) {
    enter(where);
    return modify([&](T) { return value; }, order, "exchange", where);
  }
  T fetch_add(T more, std::memory_order order, Where where = Where::current()) {
    enter(where);
    return modify([&](T old) { return T(old + more); }, order, "add", where);
  }
  T fetch_sub(T less, std::memory_order order, Where where = Where::current()) {
    enter(where);
    return modify([&](T old) { return T(old - less); }, order, "subtract", where);
  }
  bool compare_exchange_strong(T& expected, T value, std::memory_order order,
                               std::memory_order failure, Where where = Where::current()) {
    return compareExchange(false, expected, value, order, failure, where);
  }
  bool compare_exchange_weak(T& expected, T value, std::memory_order order,
                             std::memory_order failure, Where where = Where::current()) {
    return compareExchange(true, expected, value, order, failure, where);
  }
  /// A futex: sleeps while the value is `old`, until somebody wakes it or for no reason at all.
  void sleepWhile(T old, Where where = Where::current()) {
    enter(where);
    if (newest_ != old) return;
    rl::ctx().threadx_->atomic_wait(data_, false, true, infoOf(where));
  }
  void wakeOne(Where where = Where::current()) {
    enter(where);
    rl::ctx().threadx_->atomic_wake(data_, 1, infoOf(where));
  }

private:
  using Data = rl::atomic_data_impl<kThreads>;

  static long long numberOf(T value) {
    if constexpr (std::is_pointer_v<T>)
      return static_cast<long long>(reinterpret_cast<std::intptr_t>(value));
    else
      return static_cast<long long>(value);
  }
  typename Data::history_record& record(unsigned i) const {
    return static_cast<Data*>(data_)->history_[i];
  }

  void enter(const Where& where) const {
    letOthersRun();
    alive_.check(infoOf(where));
  }
  T look(std::memory_order order) const {
    rl::thread_info_base& thread = *rl::ctx().threadx_;
    Sequence::Bound bound(order == std::memory_order_seq_cst);
    for (unsigned i = 0; i < rl::atomic_history_size; ++i)
      bound.add(record(i).thread_id_, record(i).acq_rel_timestamp_, positions_[i]);
    const bool acquires = order != std::memory_order_relaxed;
    const unsigned i =
        acquires ? thread.atomic_load_acquire(data_) : thread.atomic_load_relaxed(data_);
    bound.end(positions_[i], acquires ? record(i).acq_rel_order_ : nullptr);
    return values_[i];
  }
  void put(unsigned i, T value, std::memory_order order) {
    values_[i] = newest_ = value;
    positions_[i] = order == std::memory_order_seq_cst ? Sequence::add() : 0;
  }
  void lookAtNewest(std::memory_order order) const {
    rl::thread_info_base& thread = *rl::ctx().threadx_;
    if (order == std::memory_order_relaxed)
      thread.atomic_load_relaxed_rmw(data_);
    else
      thread.atomic_load_acquire_rmw(data_);
  }
  template <class F> T modify(F f, std::memory_order order, const char* what, const Where& where) {
    rl::thread_info_base& thread = *rl::ctx().threadx_;
    const T old = newest_;
    bool aba = false;
    unsigned i = 0;
    switch (order) {
    case std::memory_order_relaxed:
      i = thread.atomic_rmw_relaxed(data_, aba);
      break;
    case std::memory_order_consume:
    case std::memory_order_acquire:
      i = thread.atomic_rmw_acquire(data_, aba);
      break;
    case std::memory_order_release:
      i = thread.atomic_rmw_release(data_, aba);
      break;
    case std::memory_order_acq_rel:
      i = thread.atomic_rmw_acq_rel(data_, aba);
      break;
    case std::memory_order_seq_cst:
      i = thread.atomic_rmw_seq_cst(data_, aba);
      break;
    }
    put(i, f(old), order);
    note({what, this, numberOf(old), numberOf(newest_), int(order)}, where);
    return old;
  }
  bool compareExchange(bool weak, T& expected, T value, std::memory_order order,
                       std::memory_order failure, const Where& where) {
    enter(where);
    T seen = newest_;
    bool fails = seen != expected, looked = false;
    if (rl::rand(4) == 0) { // may have an old value, and a weak one may give up
      if (const T old = look(failure); old != expected || weak) {
        seen = old;
        fails = looked = true;
      }
    }
    if (fails) {
      if (!looked) lookAtNewest(failure);
      note({"compare, no", this, numberOf(expected), numberOf(seen), int(failure)}, where);
      expected = seen;
      return false;
    }
    modify([&](T) { return value; }, order, "compare and exchange", where);
    return true;
  }

  rl::atomic_data* const data_;
  T values_[rl::atomic_history_size] = {};
  Sequence::Position positions_[rl::atomic_history_size] = {}; ///< 0: not in it
  T newest_;
  rl::signature<987654321> alive_;
};

} // namespace tine::model
