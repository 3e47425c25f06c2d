#include "bench/bench.h"

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <ATen/ThreadLocalState.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/thread_pool.h>
#include <memory>
#include <stdexcept>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/frontend/sugared_value.h>
#include <torch/csrc/jit/ir/irparser.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/csrc/jit/serialization/import_source.h>
#include <utility>

namespace tine::bench {
namespace {

using namespace torch::jit;

constexpr std::size_t kLargeStack = std::size_t(256) << 20;

/// `torch.jit.fork` and `torch.jit.wait`, which TorchScript knows only when Python compiles.
struct TorchJit : SugaredValue {
  std::string kind() const override { return "torch.jit"; }
  std::shared_ptr<SugaredValue> attr(const SourceRange& where, GraphFunction& function,
                                     const std::string& name) override {
    if (name == "fork") return SpecialFormValue::create(prim::fork);
    if (name == "wait") return std::make_shared<BuiltinFunction>(aten::wait, at::nullopt);
    return SugaredValue::attr(where, function, name);
  }
};

struct TorchModule : SugaredValue {
  std::string kind() const override { return "torch"; }
  std::shared_ptr<SugaredValue> attr(const SourceRange& where, GraphFunction& function,
                                     const std::string& name) override {
    if (name == "jit") return std::make_shared<TorchJit>();
    return BuiltinModule("aten").attr(where, function, name);
  }
};

struct Names : Resolver {
  std::shared_ptr<SugaredValue> resolveValue(const std::string& name, GraphFunction& function,
                                             const SourceRange& where) override {
    if (name == "torch") return std::make_shared<TorchModule>();
    return nativeResolver()->resolveValue(name, function, where);
  }
};

c10::IValue toTorch(const Argument& argument) {
  if (const auto* i = std::get_if<std::int64_t>(&argument)) return *i;
  if (const auto* d = std::get_if<double>(&argument)) return *d;
  return at::tensor(at::ArrayRef<float>(std::get<std::vector<float>>(argument)));
}

double toNumber(const c10::IValue& value) {
  if (value.isTensor()) return value.toTensor().flatten()[0].item<double>();
  return value.isInt() ? static_cast<double>(value.toInt()) : value.toDouble();
}

/// A function and what it needs to run.
class TorchFunction {
public:
  explicit TorchFunction(const Call& call) : call_(call) {
    if (call.workers) pool_ = std::make_unique<c10::TaskThreadPool>(call.workers);
    at::set_num_threads(1);
    const auto dot = call.function.find('.');
    if (dot == std::string::npos) {
      unit_->define(c10::nullopt, program(call.file + ".py"), std::make_shared<Names>(), nullptr);
      function_ = &unit_->get_function(call.function);
    } else {
      loadMethod(call.function.substr(0, dot), call.function.substr(dot + 1));
    }
    for (const Argument& argument : call.arguments) arguments_.push_back(toTorch(argument));
  }

  double operator()() const {
    if (call_.raises) return countErrors();
    c10::IValue result;
    for (int i = 0; i < call_.repeat; ++i) result = runOnce();
    return toNumber(result);
  }

private:
  c10::IValue runOnce() const {
    stack_.assign(arguments_.begin(), arguments_.end());
    if (!pool_) {
      function_->run(stack_);
      return std::move(stack_.back());
    }
    // What at::launch does, with a pool of our own: the built-in one is made once for good.
    auto future = function_->runAsync(stack_, [this](std::function<void()> task) {
      pool_->run([task = std::move(task), state = at::ThreadLocalState()] {
        at::ThreadLocalStateGuard guard(state);
        task();
      });
    });
    future->wait();
    return future->value();
  }
  double countErrors() const {
    int count = 0;
    for (int i = 0; i < call_.repeat; ++i) {
      try {
        runOnce();
      } catch (const std::exception&) {
        ++count;
      }
    }
    return count;
  }
  /// Source of classes is read as in an archive.
  void loadMethod(const std::string& className, const std::string& method) {
    const auto source = std::make_shared<Source>(program(call_.file + ".py"), call_.file, 1);
    SourceImporter importer(
        unit_, &constants_,
        [&](const std::string& module) { return module == "__torch__" ? source : nullptr; }, 11);
    const auto type = importer.loadType("__torch__." + className)->expect<c10::ClassType>();
    object_ = c10::ivalue::Object::create(c10::StrongTypePtr(unit_, type), type->numAttributes());
    object_->setAttr("self", c10::IValue(object_));
    arguments_.emplace_back(object_);
    function_ = &type->getMethod(method);
  }

  Call call_;
  std::shared_ptr<CompilationUnit> unit_ = std::make_shared<CompilationUnit>();
  std::vector<at::IValue> constants_;
  c10::intrusive_ptr<c10::ivalue::Object> object_;
  std::vector<c10::IValue> arguments_;
  mutable std::vector<c10::IValue> stack_;
  Function* function_ = nullptr;
  std::unique_ptr<c10::TaskThreadPool> pool_; ///< null: nothing forks
};

} // namespace

void torchScriptRow(const std::string& name, std::int64_t items, double want, Call call) {
  row(name, items, want, [call]() -> Batch {
    return [function = std::make_shared<TorchFunction>(call)] { return (*function)(); };
  });
}

double torchScriptOnce(const Call& call) { return TorchFunction(call)(); }

void torchScriptGraphRow(const std::string& name, std::int64_t nodes, GraphWork work,
                         const std::string& text) {
  const auto size = static_cast<double>(text.size());
  row(name, nodes, size, [=]() -> Batch {
    auto graph = std::make_shared<Graph>();
    parseIR(text, graph.get());
    return [=] {
      double result = size;
      const auto act = [&] {
        switch (work) {
        case GraphWork::Parse:
          parseIR(text, std::make_shared<Graph>().get());
          break;
        case GraphWork::Print:
          result = static_cast<double>(graph->toString().size());
          break;
        case GraphWork::Verify:
          graph->lint();
          break;
        case GraphWork::Copy:
          graph->copy();
          break;
        case GraphWork::Compile:
          Code(graph, "f");
          break;
        }
      };
      onStack(kLargeStack, act); // compiling recurses over the nodes
      return result;
    };
  });
}

void atenAddRow(const std::string& name, std::int64_t items, bool inferenceMode) {
  row(name, items, static_cast<double>(items + 1), [=]() -> Batch {
    return [=] {
      c10::InferenceMode guard(inferenceMode);
      const at::Tensor x = at::ones({4});
      at::Tensor y = x;
      for (std::int64_t i = 0; i < items; ++i) y = at::add(y, x);
      return toNumber(y);
    };
  });
}

} // namespace tine::bench
