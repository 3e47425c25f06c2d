#include "api/trace.h"

namespace tine::detail {

Function traceBody(const TraceRequest& request, std::vector<IValue> examples, TraceOptions options,
                   Body body, Where at) {
  std::optional<ModuleTree> tree;
  if (request.root) tree.emplace(*request.root);
  const std::string name = tree                   ? tree->root().className + ".forward"
                           : request.name.empty() ? "graph"
                                                  : request.name;
  const std::shared_ptr<const OpSet> ops = options.ops ? options.ops : OpSet::sharedBuiltin();
  Recorder recorder(std::move(options), tree ? &*tree : nullptr, at);
  CompilationUnit unit =
      recorder.run(name, namesOf(request.signature), examples, [&](llvm::ArrayRef<Operand> inputs) {
        Arguments arguments;
        arguments.positional.assign(inputs.begin(), inputs.end());
        return body(bindArguments(request.name, request.signature, request.arity,
                                  std::move(arguments), at));
      });
  return Function(Program::create(std::move(unit), ops).value(), name,
                  tree ? tree->root().object : IValue());
}

Operand branch(const Bool& condition, Body then, Body otherwise, Where at) {
  Recorder* recorder = Recorder::active();
  if (recorder && condition.made())
    return recorder->branch(Operand(condition), then, otherwise, at);
  return condition.value() ? then({}) : otherwise({});
}

Operand loop(const Int& trips, const Operand& state, Body body, Where at) {
  Recorder* recorder = Recorder::active();
  if (recorder && trips.made()) return recorder->loop(Operand(trips), state, body, at);
  Operand now = state;
  for (std::int64_t i = 0; i < trips.value(); ++i) now = body({Operand(IValue(i)), now});
  return now;
}

} // namespace tine::detail
