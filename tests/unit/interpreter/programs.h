#pragma once

#include "interpreter/promise.h"
#include "interpreter/scheduler.h"
#include "ir/parse.h"
#include "ops/ops.h"
#include "tests/fixture.h"

namespace tine::testing {

/// Keeps the operators, which are otherwise made anew for each program.
inline const std::shared_ptr<const OpSet> keptOps = OpSet::sharedBuiltin();

inline std::shared_ptr<const Code> compileText(llvm::StringRef text,
                                               std::shared_ptr<const OpSet> ops = nullptr) {
  auto unit = parse(text, "t.ir");
  if (!unit) {
    ADD_FAILURE() << unit.error().str();
    return nullptr;
  }
  auto code = compile(*unit, ops ? ops : OpSet::sharedBuiltin());
  if (!code) {
    ADD_FAILURE() << code.error().str();
    return nullptr;
  }
  return *code;
}

/// Runs a function and waits for it.
inline IValue run(Scheduler& scheduler, const std::shared_ptr<const Code>& code,
                  llvm::StringRef function, std::vector<IValue> arguments) {
  auto future = scheduler.run(code, function, std::move(arguments));
  return scheduler.wait(*future);
}

/// As text, as Python prints it; an error as `Kind: message`.
inline std::string outcome(Scheduler& scheduler, const std::shared_ptr<const Code>& code,
                           llvm::StringRef function, std::vector<IValue> arguments = {}) {
  try {
    return run(scheduler, code, function, std::move(arguments)).str();
  } catch (const RuntimeError& error) {
    return error.kind() + ": " + error.message();
  }
}

/// The traceback, one entry per line: `function:line`, or `> function:line` for what a fork
/// started.
inline std::string trace(const RuntimeError& error) {
  std::string out;
  for (const TraceEntry& entry : error.traceback())
    out += (entry.edge == TraceEntry::Edge::Fork ? "> " : "") + entry.function + ":" +
           std::to_string(entry.place.line) + "\n";
  return out;
}

/// fib with a fork per call; also the plain recursion.
inline constexpr const char* kFib = R"(fib(%n : int):
  %1 : int = prim::Constant[value=1]()
  %2 : int = prim::Constant[value=2]()
  %f : Function = prim::Constant[name="fib"]()
  %c : bool = aten::lt(%n, %2)
  %r : int = prim::If(%c)
    block0():
      -> (%n)
    block1():
      %a : int = aten::sub(%n, %1)
      %b : int = aten::sub(%n, %2)
      %fut : Future[int] = prim::fork_0(%a)
      %y : int = prim::CallFunction(%f, %b)
      %x : int = aten::wait(%fut)
      %s : int = aten::add(%x, %y)
      -> (%s)
  return (%r)
with prim::fork_0 = graph(%n : int):
  %f : Function = prim::Constant[name="fib"]()
  %r : int = prim::CallFunction(%f, %n)
  return (%r)

plain(%n : int):
  %1 : int = prim::Constant[value=1]()
  %2 : int = prim::Constant[value=2]()
  %f : Function = prim::Constant[name="plain"]()
  %c : bool = aten::lt(%n, %2)
  %r : int = prim::If(%c)
    block0():
      -> (%n)
    block1():
      %a : int = aten::sub(%n, %1)
      %b : int = aten::sub(%n, %2)
      %x : int = prim::CallFunction(%f, %a)
      %y : int = prim::CallFunction(%f, %b)
      %s : int = aten::add(%x, %y)
      -> (%s)
  return (%r)
)";

} // namespace tine::testing
