#include "ops/arguments.h"
#include "tensor/future.h"
#include "tensor/print.h"

#include <algorithm>
#include <cstdio>

namespace tine::opkernel {

namespace {
const Object& member(const IValue& value) {
  if (!value.isObject() || !value.toObject().layout->isEnum)
    raise(error_kind::Type, "a member of an enum is wanted, not " + value.str());
  return value.toObject();
}
bool sameMember(const KernelCall& call) {
  const Object &a = member(call[0]), &b = member(call[1]);
  return &a == &b ||
         (a.layout->name == b.layout->name && a.slots[0].toStringRef() == b.slots[0].toStringRef());
}
bool same(const KernelCall& call) {
  const bool members = call[0].isObject() && call[1].isObject() &&
                       call[0].toObject().layout->isEnum && call[1].toObject().layout->isEnum;
  return members ? sameMember(call) : call[0].isSame(call[1]);
}
} // namespace

void is(const KernelCall& call) { call.setResult(0, same(call)); }
void isNot(const KernelCall& call) { call.setResult(0, !same(call)); }
void eqMembers(const KernelCall& call) { call.setResult(0, sameMember(call)); }
void neMembers(const KernelCall& call) { call.setResult(0, !sameMember(call)); }
void memberName(const KernelCall& call) { call.setResult(0, IValue(member(call[0]).slots[0])); }
void memberValue(const KernelCall& call) { call.setResult(0, IValue(member(call[0]).slots[1])); }

void unwrapOptional(const KernelCall& call) {
  if (call[0].isNone()) raise(error_kind::Runtime, "Unwrapping null optional");
  call.setResult(0, call.take(0));
}
void never(const KernelCall& call) { call.setResult(0, false); }

void str(const KernelCall& call) {
  std::string out;
  appendStream(out, call[0]);
  call.setResult(0, out);
}

void format(const KernelCall& call) {
  const llvm::StringRef pattern = call[0].toStringRef();
  std::string out;
  std::size_t begin = 0;
  for (std::uint32_t next = 1;; ++next) {
    const std::size_t hole = pattern.find("{}", begin);
    out += pattern.slice(begin, hole);
    if (hole == llvm::StringRef::npos) break;
    if (next >= call.size())
      raise(error_kind::Runtime, "Too few arguments for format string: " + pattern.str());
    appendStream(out, call[next]);
    begin = hole + 2;
  }
  call.setResult(0, out);
}

// One call of fwrite, so that lines of different threads do not mix.
void print(const KernelCall& call) {
  std::string line;
  for (std::uint32_t i = 0; i < call.size(); ++i) {
    if (i) line += ' ';
    appendStream(line, call[i]);
  }
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stdout);
  setNone(call);
}

void warn(const KernelCall& call) {
  const std::string line = "warning: " + call[0].toStringRef().str() + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
  setNone(call);
}

void complete(const KernelCall& call) {
  const Ref<FutureState> future = call[0].toFuture(); // a waiter may drop every other reference
  if (future->kind() && !future->kind()->broken)
    raise(error_kind::Value, "tine::complete takes a promise's future, not a task's");
  if (!future->complete(call.take(1)) &&
      !(future->failed() && future->error()->kind == error_kind::Cancelled))
    raise(error_kind::AlreadyCompleted, "the promise was completed before");
  setNone(call);
}

namespace {
/// What Python's kinds of error derive from, and what Tine's own stand for there.
struct Derived {
  const char *kind, *base;
};
constexpr Derived kDerived[] = {
    {"ArithmeticError", "Exception"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"BufferError", "Exception"},
    {"EOFError", "Exception"},
    {"ImportError", "Exception"},
    {"LookupError", "Exception"},
    {"MemoryError", "Exception"},
    {"NameError", "Exception"},
    {"OSError", "Exception"},
    {"RuntimeError", "Exception"},
    {"StopIteration", "Exception"},
    {"SyntaxError", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"FloatingPointError", "ArithmeticError"},
    {"OverflowError", "ArithmeticError"},
    {"ZeroDivisionError", "ArithmeticError"},
    {"IndexError", "LookupError"},
    {"KeyError", "LookupError"},
    {"IOError", "OSError"},
    {"IoError", "OSError"},
    {"Timeout", "TimeoutError"},
    {"TimeoutError", "OSError"},
    {"NotImplementedError", "RuntimeError"},
    {"RecursionError", "RuntimeError"},
    {"ShapeMismatch", "RuntimeError"},
    {"UnicodeError", "ValueError"},
    {"Cancelled", "CancelledError"},
    {"CancelledError", "BaseException"},
    {"Deadlock", "BaseException"},
    {"Shutdown", "BaseException"},
};

const Error& errorOf(const KernelCall& call) {
  const Ref<FutureState> future = call[0].toFuture();
  if (!future->failed()) raise(error_kind::Value, "the future has no error");
  future->markObserved();
  return *future->error();
}
} // namespace

/// Kinds that nobody knows are Exceptions.
void errorIs(const KernelCall& call) {
  llvm::StringRef kind = errorOf(call).kind;
  const llvm::StringRef wanted = call[1].toStringRef();
  bool is = wanted == "BaseException";
  for (bool derives = true; !is && derives;) {
    is = kind == wanted;
    const auto* row = std::find_if(std::begin(kDerived), std::end(kDerived),
                                   [&](const Derived& r) { return kind == r.kind; });
    derives = row != std::end(kDerived) || (kind != "Exception" && kind != "BaseException");
    kind = row != std::end(kDerived) ? row->base : "Exception";
  }
  call.setResult(0, is);
}
void errorKind(const KernelCall& call) { call.setResult(0, IValue(errorOf(call).kind)); }
void errorMessage(const KernelCall& call) { call.setResult(0, IValue(errorOf(call).message)); }

void futureDone(const KernelCall& call) { call.setResult(0, call[0].asFuture().done()); }

void futureValue(const KernelCall& call) {
  FutureState& future = call[0].asFuture();
  if (!future.done()) return call.setResult(0, IValue());
  if (future.failed()) future.markObserved();
  call.setResult(0, IValue(future.valueOrThrow()));
}

} // namespace tine::opkernel
