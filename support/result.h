#pragma once

#include "support/error.h"

#include <utility>
#include <variant>
#include <vector>

namespace tine {

/// A value, or at least one Error. For wrong input: nothing is thrown until a caller asks for it.
///
///   Result<Graph> graph = parse(text);
///   if (!graph) { report(graph.errors()); return; }
///   use(*graph);
///   use(parse(text).value());   // throws RuntimeError with the first error
///
/// \thread not safe
template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>) {
    std::get<1>(state_).push_back(std::move(error));
  }
  Result(std::vector<Error> errors) : state_(std::in_place_index<1>, std::move(errors)) {
    TINE_CHECK_MSG(!std::get<1>(state_).empty(), "a failed Result needs an error");
  }

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }

  const std::vector<Error>& errors() const { return std::get<1>(state_); }
  std::vector<Error> takeErrors() { return std::move(std::get<1>(state_)); }
  const Error& error() const { return errors().front(); }

  /// The value. \errors throws RuntimeError with the first error
  T value() && {
    if (!ok()) throw RuntimeError(std::get<1>(state_).front());
    return std::get<0>(std::move(state_));
  }
  const T& value() const& {
    if (!ok()) throw RuntimeError(std::get<1>(state_).front());
    return std::get<0>(state_);
  }

private:
  std::variant<T, std::vector<Error>> state_;
};

/// Success without a value.
struct Ok {};

} // namespace tine

/// `TINE_TRY(auto x, mayFail());` declares x, or returns the errors of the enclosing function's
/// Result.
#define TINE_TRY(declaration, ...) TINE_TRY_IMPL(declaration, TINE_TRY_NAME(__LINE__), __VA_ARGS__)
#define TINE_TRY_NAME(line) TINE_TRY_NAME2(line)
#define TINE_TRY_NAME2(line) tineTryResult##line
#define TINE_TRY_IMPL(declaration, name, ...)                                                      \
  auto name = __VA_ARGS__;                                                                         \
  if (!name) return name.takeErrors();                                                             \
  declaration = *std::move(name)
