#include "api/trace.h"

#include "api/compare.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tine::detail {

namespace {
/// Runs the function and its graph on copies of the same inputs. \errors TraceError when they
/// differ
void check(const Function& function, const TraceRequest& request, const std::vector<IValue>& given,
           llvm::function_ref<Operand(llvm::ArrayRef<Operand>)> call, std::size_t run, Where at) {
  const std::shared_ptr<Context> context = Context::create();
  const auto copies = [&] {
    std::vector<Operand> inputs;
    for (std::size_t i = 0; i < given.size(); ++i)
      inputs.push_back(copyExample(
          Operand::of(given[i]), i < request.types.size() ? request.types[i](*context) : nullptr));
    return inputs;
  };
  const std::vector<Operand> here = copies(), there = copies();
  std::vector<IValue> inputs;
  for (const Operand& input : there) inputs.push_back(input.value);

  const auto outcome = [](llvm::function_ref<IValue()> f) -> Result<IValue> {
    try {
      return f();
    } catch (...) {
      return *currentError();
    }
  };
  const auto saved = [&](SavedBytes& bytes) {
    if (request.root)
      ModuleTree(*request.root).forEachTensor([&](const Tensor& t) { bytes.save(t); });
  };
  const Result<IValue> fromCpp = [&] {
    SavedBytes bytes;
    saved(bytes);
    return outcome([&] { return call(here).value; });
  }();
  const Result<IValue> fromGraph = [&] {
    SavedBytes bytes;
    saved(bytes);
    return outcome([&] { return function.run(inputs, at); });
  }();

  const auto fail = [&](const std::string& how) {
    return Error(error_kind::Trace,
                 "the function and its graph disagree on the inputs of check " +
                     std::to_string(run + 1) + ": " + how,
                 placeOf(at));
  };
  if (fromCpp.ok() != fromGraph.ok()) {
    const Error& why = fromCpp.ok() ? fromGraph.error() : fromCpp.error();
    throw RuntimeError(
        fail(fromCpp.ok() ? "the graph fails" : "the function fails").note(why.message, why.place));
  }
  if (!fromCpp.ok()) return;
  std::string difference = differenceOf(*fromCpp, *fromGraph, "the result");
  for (std::size_t i = 0; difference.empty() && i < inputs.size(); ++i)
    difference =
        differenceOf(here[i].value, inputs[i], "input " + std::to_string(i + 1) + " afterwards");
  if (!difference.empty()) throw RuntimeError(fail(difference));
}
} // namespace

Function traceBody(const TraceRequest& request, std::vector<IValue> examples, TraceOptions options,
                   Body body, Where at) {
  std::optional<ModuleTree> tree;
  if (request.root) tree.emplace(*request.root);
  const std::string name = tree                   ? tree->root().className + ".forward"
                           : request.name.empty() ? "graph"
                                                  : request.name;
  const std::shared_ptr<const OpSet> ops = options.ops ? options.ops : OpSet::sharedBuiltin();
  const std::vector<std::vector<IValue>> checks = std::move(options.check);
  const auto call = [&](llvm::ArrayRef<Operand> inputs) {
    Arguments arguments;
    arguments.positional.assign(inputs.begin(), inputs.end());
    return body(bindArguments(request.name, request.signature, request.types.size(),
                              std::move(arguments), at));
  };
  CompilationUnit unit = [&] {
    Recorder recorder(std::move(options), tree ? &*tree : nullptr, at);
    return recorder.run(name, namesOf(request.signature), request.types, examples, call);
  }();
  const Function function(Program::create(std::move(unit), ops).value(), name,
                          tree ? tree->root().object : IValue());
  for (std::size_t i = 0; i < checks.size(); ++i) check(function, request, checks[i], call, i, at);
  return function;
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

void nameValue(llvm::StringRef name, const Operand& value) {
  // What text cannot hold, or would take for another value's number.
  if (name.empty() || name.find_first_not_of("0123456789") == llvm::StringRef::npos ||
      llvm::any_of(name, [](char c) {
        return (static_cast<unsigned char>(c) < 0x80 && !llvm::isAlnum(c) && c != '_' &&
                c != '.') ||
               c == 0x7f;
      }))
    raise(error_kind::Value, "'" + name.str() + "' is not a name that a value can have: " +
                                 "letters, digits, '_' and '.', and not digits alone");
  if (Recorder* recorder = Recorder::active()) recorder->name(name, value);
}

} // namespace tine::detail
