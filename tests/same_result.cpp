#include "tests/same_result.h"

#include "interpreter/code.h"
#include "ir/print.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/pass.h"

#include <gtest/gtest.h>

namespace tine::testing {
namespace {

/// Writes values so that two texts are equal when nobody can tell the values apart: bits, and for
/// what can be changed a number that says which are one.
class Describer {
public:
  std::string text;

  void describe(const IValue& value) {
    if (value.isTensor()) {
      const Tensor& t = value.asTensor();
      text += "tensor#" + number(t.impl()) + "@" + number(t.impl()->storage) + "+" +
              std::to_string(t.offset()) + shapeStr(t.sizes()) + shapeStr(t.strides()) + "{";
      Tensor packed = t.contiguous();
      for (std::size_t i = 0;
           i < static_cast<std::size_t>(packed.numel()) * itemSize(packed.dtype()); ++i)
        text += llvm::hexdigit(static_cast<unsigned>(packed.bytes()[i]) >> 4),
            text += llvm::hexdigit(static_cast<unsigned>(packed.bytes()[i]) & 15);
      text += "}";
    } else if (value.isList()) {
      if (!open("list#", &value.toList())) return;
      for (const IValue& item : value.toList().items) describe(item), text += ",";
      text += "]";
    } else if (value.isDict()) {
      if (!open("dict#", &value.toDict())) return;
      for (const auto& [key, item] : value.toDict().items)
        describe(key), text += ":", describe(item), text += ",";
      text += "]";
    } else if (value.isTuple()) {
      text += "(";
      for (const IValue& item : value.toTuple().items) describe(item), text += ",";
      text += ")";
    } else if (value.isDouble()) {
      appendDouble(text, value.toDouble(), Style::Lossless);
    } else if (value.isFuture()) {
      text += "future";
    } else if (value.isObject()) {
      text += "object#" + number(&value.toObject());
    } else {
      text += value.str();
    }
  }

private:
  std::string number(const void* object) {
    return std::to_string(numbers_.try_emplace(object, numbers_.size()).first->second);
  }
  /// False when the object was described before: it may hold itself.
  bool open(const char* kind, const void* object) {
    bool fresh = !numbers_.contains(object);
    text += kind + number(object) + "[";
    if (!fresh) text += "...]";
    return fresh;
  }
  llvm::DenseMap<const void*, std::size_t> numbers_;
};

} // namespace

IValue deepCopy(const IValue& value) {
  if (value.isTensor()) return value.asTensor().clone();
  if (value.isList()) {
    std::vector<IValue> items;
    for (const IValue& item : value.toList().items) items.push_back(deepCopy(item));
    return IValue::list(std::move(items));
  }
  if (value.isTuple()) {
    std::vector<IValue> items;
    for (const IValue& item : value.toTuple().items) items.push_back(deepCopy(item));
    return IValue::tuple(std::move(items));
  }
  if (value.isDict()) {
    auto copy = makeRef<Dict>();
    for (const auto& [key, item] : value.toDict().items) copy->set(key, deepCopy(item));
    return copy;
  }
  return value;
}

CompilationUnit copyUnit(const CompilationUnit& unit) {
  CompilationUnit copy(unit.context());
  for (const NamedGraph& function : unit.functions())
    copy.add(function.name, function.graph->copy());
  return copy;
}

Scheduler& SameResult::scheduler(int workers) {
  for (const auto& known : schedulers_)
    if (known->workers() == workers) return *known;
  Scheduler::Config config;
  config.workers = workers;
  schedulers_.push_back(std::make_unique<Scheduler>(config));
  return *schedulers_.back();
}

std::string SameResult::observe(const CompilationUnit& unit, llvm::StringRef function,
                                const std::vector<IValue>& arguments, int workers, bool* failed) {
  std::vector<IValue> given;
  for (const IValue& argument : arguments) given.push_back(deepCopy(argument));
  auto code = compile(unit, OpSet::sharedBuiltin());
  if (!code) return "does not compile: " + code.error().str();
  Scheduler& running = scheduler(workers);
  Describer describer;
  try {
    Ref<FutureState> future = running.run(*code, function, given);
    IValue result = running.wait(*future);
    describer.describe(result);
    describer.text += " after which the arguments are ";
    for (const IValue& argument : given) describer.describe(argument), describer.text += "; ";
  } catch (const RuntimeError& error) { // what a failed run did to its arguments nobody promises
    describer.text = "raises " + error.kind() + ": " + error.message();
    if (failed) *failed = true;
  }
  return describer.text;
}

SameResult::Outcome SameResult::expect(const CompilationUnit& unit, llvm::StringRef function,
                                       llvm::StringRef passes, const std::vector<IValue>& arguments,
                                       llvm::ArrayRef<int> workers) {
  Outcome outcome;
  std::string before = observe(unit, function, arguments, workers.front(), &outcome.failed);
  CompilationUnit after = copyUnit(unit);
  PassOptions options;
  options.after = [&](const Pass&, const CompilationUnit&, bool changed) {
    outcome.changed |= changed;
  };
  auto ran = runPasses(after, *OpSet::sharedBuiltin(), passes, options);
  if (!ran) {
    ADD_FAILURE() << ran.error().str() << "\nbefore " << passes.str() << ":\n" << str(unit);
    return outcome;
  }
  for (int count : workers) {
    std::string seen = observe(after, function, arguments, count);
    if (seen == before) continue;
    ADD_FAILURE() << "with " << count << " workers, after " << passes.str() << ":\n  " << seen
                  << "\ninstead of\n  " << before << "\nbefore:\n"
                  << str(unit) << "\nafter:\n"
                  << str(after);
    break;
  }
  return outcome;
}

} // namespace tine::testing
