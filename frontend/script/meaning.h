#pragma once

#include "ir/graph.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tine::script {

struct ClassInfo;
struct Function;
struct FunctionDef;
struct Lambda;

/// A nested function.
struct ClosureInfo {
  const FunctionDef* def = nullptr; ///< or
  const Lambda* lambda = nullptr;
  std::vector<std::string> defaults; ///< variables with those that are no constants; else empty
  bool running = false;              ///< its body is being written
};

/// What an expression stands for while a function is compiled: a value of the graph, or something
/// that only the compiler knows.
///
///   Meaning m = emit(expr);      // torch.jit.fork
///   m.kind == Meaning::Special;  m.name == "fork"
struct Meaning {
  enum Kind : std::uint8_t {
    None,      ///< the result of print
    Value,     ///< `value`
    Module,    ///< `name`: torch, torch.jit, math
    Function,  ///< `function` of the program
    Builtin,   ///< the operator `name`, with `value` for self when it is a method
    Cast,      ///< int, float, bool, str: to `type`, by the operator `name`
    DtypeCast, ///< x.float(): of `value` to the dtype `number`
    Special,   ///< `name`: range, fork, isinstance, ...: what evaluates its arguments itself
    Type,      ///< `type`
    Class,     ///< `klass`, a class of the program
    Method,    ///< `function` of the object `value`
    Exception, ///< the class `name`
    Raised,    ///< an instance of the class `name` with the message `value`
    Caught,    ///< an exception that was caught: `value` is a future that failed
    Closure,   ///< a nested def or lambda: `closure`
    Range,     ///< range(children[0], children[1], children[2]); `onlyEnd`
    Tuple,     ///< children
    Zip,       ///< children, each iterable
    Poison,    ///< of a statement that failed; using it fails silently
  };
  Kind kind = None;
  tine::Value* value = nullptr;
  std::string name;
  script::Function* function = nullptr;
  ClassInfo* klass = nullptr;
  const tine::Type* type = nullptr;
  std::int64_t number = 0;
  std::vector<Meaning> children;
  std::shared_ptr<ClosureInfo> closure;
  bool onlyEnd = false;
  std::optional<std::int64_t> length; ///< known length of what is iterated

  Meaning() = default;
  Meaning(tine::Value* v) : kind(Value), value(v) {}
  static Meaning of(Kind kind, std::string name = {}) {
    Meaning m;
    m.kind = kind;
    m.name = std::move(name);
    return m;
  }
  bool isValue() const { return kind == Value; }
  bool isSpecial(const char* what) const { return kind == Special && name == what; }
  /// For messages: `a function`, `the module 'math'`.
  std::string describe() const;
};

} // namespace tine::script
