#pragma once

#include "interpreter/frame.h"

#include <memory>
#include <vector>

namespace tine {

/// An error on its way out: what was raised, and the functions that it has left, innermost first.
struct Failure {
  struct Point {
    const FunctionCode* function;
    std::uint32_t pc;
    const Site* task; ///< not null: the first function of a task that this row forked or started
  };
  std::shared_ptr<const Error> error;
  std::vector<Point> points;
  bool stops = false; ///< the task is to end: no handler sees it
  bool again = false; ///< raised again by a handler: where it comes from is known

  void left(const Point& point);
  /// The error with the points as its traceback, outside of what it had. Tracebacks longer than 200
  /// entries lose their middle. Without memory there is none.
  std::shared_ptr<const Error> make() const;

private:
  std::shared_ptr<const Error> withTraceback() const;
};

} // namespace tine
