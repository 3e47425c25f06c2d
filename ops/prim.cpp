#include "ops/arguments.h"
#include "tensor/future.h"
#include "tensor/print.h"

#include <cstdio>

namespace tine::opkernel {

void is(const KernelCall& call) { call.setResult(0, call[0].isSame(call[1])); }
void isNot(const KernelCall& call) { call.setResult(0, !call[0].isSame(call[1])); }

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

void futureDone(const KernelCall& call) { call.setResult(0, call[0].asFuture().done()); }

void futureValue(const KernelCall& call) {
  FutureState& future = call[0].asFuture();
  if (!future.done()) return call.setResult(0, IValue());
  if (future.failed()) future.markObserved();
  call.setResult(0, IValue(future.valueOrThrow()));
}

} // namespace tine::opkernel
