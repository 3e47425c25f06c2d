#pragma once

#include "api/function.h"
#include "frontend/trace/module.h"

namespace tine {

/// A module that runs: an object with its attributes, and the methods of its class.
///
///   Module scale("Scale");
///   scale.registerParameter("w", tensor({1., 2.}));
///   scale.define("def forward(self, x, by: int = 1):\n    return x * self.w * by\n");
///   ScriptModule net = compile(scale).value();
///   Tensor y = net.run<Tensor>("forward", x, arg("by", 3));
///
/// Copies share the object. \thread any; what methods write to attributes is the program's to order
class ScriptModule {
public:
  /// \pre the object is one of a class whose methods are the program's
  ScriptModule(Program program, IValue object);

  const Program& program() const { return program_; }
  const IValue& object() const { return object_; }
  std::vector<std::string> methodNames() const;
  /// A method as a function of its other parameters. \errors ValueError with a near name
  Result<Function> method(llvm::StringRef name = "forward") const;
  /// What the object has now. \errors AttributeError with a near name
  IValue attribute(llvm::StringRef name) const;

  /// Runs a method on this thread, or on the scheduler's workers. \errors as Program::run
  template <class R = IValue, detail::IsArgument... A>
  R run(const detail::Called& method, const A&... arguments) const {
    return detail::unboxed<R>(called(method).call(nullptr, boxed(method, arguments...), method.at),
                              method);
  }
  template <class R = IValue, detail::IsArgument... A>
  R run(Scheduler& scheduler, const detail::Called& method, const A&... arguments) const {
    return detail::unboxed<R>(
        called(method).call(&scheduler, boxed(method, arguments...), method.at), method);
  }

private:
  template <class... A> Arguments boxed(const detail::Called& method, const A&... arguments) const {
    return detail::argumentsOf(program_.classes(), method, arguments...);
  }
  Function called(const detail::Called& method) const;
  Program program_;
  IValue object_;
};

/// Compiles what `define` gave a module and the modules in it. The object shares their tensors, and
/// has its own values of the other attributes.
/// \errors as compile of a source; TypeError for an attribute that is not of its type; TraceError
/// for a module inside itself
Result<ScriptModule> compile(const Module& module,
                             std::shared_ptr<const OpSet> ops = OpSet::sharedBuiltin());

} // namespace tine
