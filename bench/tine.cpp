#include "api/function.h"
#include "bench/bench.h"

#include <optional>

namespace tine::bench {
namespace {

IValue toTine(const Argument& argument) {
  if (const auto* i = std::get_if<std::int64_t>(&argument)) return *i;
  if (const auto* d = std::get_if<double>(&argument)) return *d;
  const auto& items = std::get<std::vector<float>>(argument);
  const Tensor tensor = Tensor::empty({static_cast<std::int64_t>(items.size())});
  std::copy(items.begin(), items.end(), tensor.data<float>());
  return tensor;
}

double toNumber(const IValue& value) {
  return value.isTensor() ? value.asTensor().data<float>()[0] : value.toNumber();
}

/// A function and, with workers, a scheduler to run it.
class TineFunction {
public:
  explicit TineFunction(const Call& call) : call_(call), function_(load(call)) {
    if (call.workers > 0) scheduler_.emplace(Scheduler::Config{.workers = call.workers});
    for (const Argument& argument : call.arguments) arguments_.push_back(toTine(argument));
  }

  double operator()() {
    if (call_.raises) return countErrors();
    IValue result;
    for (int i = 0; i < call_.repeat; ++i) result = runOnce();
    return toNumber(result);
  }

private:
  IValue runOnce() {
    return scheduler_ ? function_.run(*scheduler_, arguments_) : function_.run(arguments_);
  }
  double countErrors() {
    int count = 0;
    for (int i = 0; i < call_.repeat; ++i) {
      try {
        runOnce();
      } catch (const RuntimeError&) {
        ++count;
      }
    }
    return count;
  }
  static Function load(const Call& call) {
    const std::string file = call.file + (call.source ? ".py" : ".ir");
    return (call.source ? compile(program(file), file) : parseProgram(program(file), file))
        .value()
        .function(call.function)
        .value();
  }

  Call call_;
  Function function_;
  std::optional<Scheduler> scheduler_;
  std::vector<IValue> arguments_;
};

} // namespace

double tineOnce(const Call& call) { return TineFunction(call)(); }

void tineRow(const std::string& name, std::int64_t items, double want, Call call) {
  row(name, items, want, [call]() -> Batch {
    return [function = std::make_shared<TineFunction>(call)] { return (*function)(); };
  });
}

} // namespace tine::bench
