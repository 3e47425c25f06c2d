#pragma once

#include "support/source.h"

#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace tine {

/// Names of the built-in kinds of error; the table is error.def.
///   if (error.kind == error_kind::Index) ...
namespace error_kind {
#define TINE_ERROR_KIND(id, name, doc) inline constexpr const char* id = name;
#include "support/error.def"
} // namespace error_kind

/// One line of a traceback, outermost first: where a function was, and how it came to run.
struct TraceEntry {
  enum class Edge : std::uint8_t { Call, Fork };
  Edge edge =
      Edge::Call;       ///< Fork: the function was started by a fork at `place` of the entry before
  std::string function; ///< the function that was running
  Place place;          ///< where in it
  bool operator==(const TraceEntry&) const;
};

/// What went wrong, where, and what else helps: wrong input and failed programs alike.
///
///   Error(error_kind::Index, "list index out of range")
///   Error(error_kind::Syntax, "expected a type", place).note("the value is declared here", there)
struct Error {
  struct Note {
    std::string message;
    Place place;
  };

  std::string kind;
  std::string message;
  Place place;
  std::vector<Note> notes;
  std::vector<TraceEntry> traceback; ///< only of programs that ran; outermost first

  Error(std::string kind, std::string message, Place place = {});
  Error note(std::string message, Place place = {}) &&;

  /// `file:4:9: error: message`, the line with carets, the notes, the traceback; ends with a
  /// newline.
  std::string str() const;
};

/// The one exception of the public interface: the program that runs has failed. Cheap to copy; the
/// error is shared and immutable, so every wait on a failed future sees the same kind, message and
/// traceback.
class RuntimeError : public std::exception {
public:
  explicit RuntimeError(Error error);
  explicit RuntimeError(std::shared_ptr<const Error> error) : error_(std::move(error)) {}
  RuntimeError(std::string kind, std::string message)
      : RuntimeError(Error(std::move(kind), std::move(message))) {}

  const std::string& kind() const { return error_->kind; }
  const std::string& message() const { return error_->message; }
  const std::vector<TraceEntry>& traceback() const { return error_->traceback; }
  const Error& error() const { return *error_; }
  const std::shared_ptr<const Error>& shared() const { return error_; }
  const char* what() const noexcept override { return error_->message.c_str(); }

private:
  std::shared_ptr<const Error> error_;
};

/// The exception in flight as an Error: a RuntimeError's own; of others what(), the type in a note,
/// and Python's kind for it (out_of_range: IndexError, most: RuntimeError). Call in a catch block.
std::shared_ptr<const Error> currentError();

/// Throws RuntimeError. \errors always
[[noreturn]] void raise(const char* kind, std::string message);

namespace detail {
[[noreturn]] void checkFailed(const char* expression, const char* file, int line,
                              const char* message);
} // namespace detail

} // namespace tine

/// Aborts with expression and place when Tine itself is wrong. On in every build.
#define TINE_CHECK_MSG(expression, message)                                                        \
  (static_cast<bool>(expression)                                                                   \
       ? void(0)                                                                                   \
       : ::tine::detail::checkFailed(#expression, __FILE__, __LINE__, message))
#define TINE_CHECK(expression) TINE_CHECK_MSG(expression, "")
#define TINE_UNREACHABLE(message)                                                                  \
  ::tine::detail::checkFailed("unreachable", __FILE__, __LINE__, message)
