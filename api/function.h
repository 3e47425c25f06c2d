#pragma once

#include "api/future.h"
#include "interpreter/scheduler.h"
#include "ir/unit.h"
#include "support/lines.h"
#include "support/result.h"

#include <memory>
#include <string>
#include <vector>

namespace tine {

namespace detail {
/// What `f` gives; errors that have no place get this one.
template <class F> auto atPlace(Where at, F f) {
  try {
    return f();
  } catch (const RuntimeError& e) {
    throw RuntimeError(Error(e.kind(), e.message(), placeOf(at)));
  }
}
/// A function's name, and where it is called by it.
struct Called {
  template <class S>
  requires std::convertible_to<const S&, llvm::StringRef> Called(const S& function,
                                                                 Where where = Where::current())
      : name(llvm::StringRef(function).str()), at(where) {}
  std::string name;
  Where at;
};
/// An argument by name with objects of C++ classes in it.
template <HoldsNative T> struct NativeKeyword {
  std::string name;
  T value;
};
template <class T> struct IsNativeKeyword : std::false_type {};
template <class T> struct IsNativeKeyword<NativeKeyword<T>> : std::true_type {};
template <class T>
concept IsArgument = Passes<T> || HoldsNative<T> || IsNativeKeyword<T>::value ||
    std::convertible_to<const T&, Keyword> || std::convertible_to<const T&, const char*>;
template <class R> R unboxed(const IValue& result, const Called& function) {
  if constexpr (HoldsNative<R>)
    return atPlace(function.at, [&] { return Convert<R>::from(result); });
  else
    return unboxResult<R>(Operand::of(result), function.name, function.at);
}
/// The operands of a call; objects get the classes that a program's operators have.
template <class... A>
Arguments argumentsOf(const NativeClasses& classes, const Called& function, const A&... arguments) {
  Arguments all;
  const auto box = [&](const auto& value) {
    return atPlace(function.at, [&] { return Operand::of(classes.box(value)); });
  };
  [[maybe_unused]] const auto add = [&]<class T>(const T& argument) {
    if constexpr (IsNativeKeyword<T>::value)
      all.add(Keyword{argument.name, box(argument.value)});
    else if constexpr (HoldsNative<T>)
      all.positional.push_back(box(argument));
    else
      all.add(argument);
  };
  (add(arguments), ...);
  return all;
}
} // namespace detail

/// An argument given by name: an object of a C++ class, or a container of them.
template <detail::HoldsNative T> detail::NativeKeyword<T> arg(std::string name, T value) {
  return {std::move(name), std::move(value)};
}

/// Compiled functions that belong together: what a trace makes, what a file of source or of graph
/// text holds; TorchScript's CompilationUnit. Immutable, cheap to copy.
///
///   Program program = compile(source).value();
///   Tensor y = program.run<Tensor>("bar", x, arg("b", 2));               // on this thread
///   auto n = program.run<int64_t>(scheduler, "fib", 10);                 // on workers
///   Future<> later = program.function("fib")->runAsync(scheduler, {10}); // returns at once
///
/// \thread any
class Program {
public:
  /// \errors VerifyError; UnsupportedError
  static Result<Program> create(CompilationUnit unit,
                                std::shared_ptr<const OpSet> ops = OpSet::sharedBuiltin());
  /// The same of a unit that was made from source texts, by file, which `lines` then has.
  using Texts = std::vector<std::pair<std::string, std::string>>;
  static Result<Program> create(CompilationUnit unit, std::shared_ptr<const OpSet> ops,
                                Texts texts);

  const CompilationUnit& unit() const;
  const Code& code() const;
  std::vector<std::string> functionNames() const;
  const NativeClasses& classes() const; ///< written in C++, which its operators bring
  /// For the errors of its runs, the lines of the C++ files that were traced, and of the source
  /// that was compiled, which lives as long as the program:
  ///   catch (const RuntimeError& e) { std::cerr << program.lines().shown(e.error()).str(); }
  /// Files that a text names are left alone.
  SourceLines lines() const;
  /// A function by name; an empty name stands for the first. \errors ValueError listing the names
  Result<class Function> function(llvm::StringRef name = "") const;
  /// Runs a function on this thread. \errors as Function::run; ValueError for an unknown name
  IValue run(llvm::StringRef function, std::vector<IValue> inputs,
             Where at = Where::current()) const;
  /// The same with C++ values, some of them by name, and a result of a C++ type.
  /// \errors also TypeError for arguments that are missing, too many, unknown or of a wrong type,
  /// and for a result of another type
  template <class R = IValue, detail::IsArgument... A>
  R run(const detail::Called& function, const A&... arguments) const {
    return detail::unboxed<R>(
        call(nullptr, function, detail::argumentsOf(classes(), function, arguments...)), function);
  }
  /// The same on the scheduler's workers.
  template <class R = IValue, detail::IsArgument... A>
  R run(Scheduler& scheduler, const detail::Called& function, const A&... arguments) const {
    return detail::unboxed<R>(
        call(&scheduler, function, detail::argumentsOf(classes(), function, arguments...)),
        function);
  }

private:
  IValue call(Scheduler* scheduler, const detail::Called& function, Arguments arguments) const;
  friend class Function;
  struct Data;
  class Function called(const detail::Called& name) const;
  explicit Program(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

/// Reads graph text; `file` names it in messages. \errors SyntaxError, VerifyError
Result<Program> parseProgram(llvm::StringRef text, llvm::StringRef file = "<text>",
                             std::shared_ptr<const OpSet> ops = OpSet::sharedBuiltin());
/// Compiles TorchScript source; `file` names it in messages, dumps and tracebacks.
///
///   Program program = compile("def twice(x: int) -> int:\n    return x * 2\n").value();
///   program.run("twice", {21}).toInt();     // 42
///
/// \errors SyntaxError, TypeError, SchemaError, UnsupportedError; several at once, with places
Result<Program> compile(std::string source, std::string file = "<string>",
                        std::shared_ptr<const OpSet> ops = OpSet::sharedBuiltin());
/// Reads a file of graph text, or of source when its name ends in `.py`. \errors IoError, and as
/// above
Result<Program> loadProgram(const std::string& path,
                            std::shared_ptr<const OpSet> ops = OpSet::sharedBuiltin());

/// A graph that can be called: one function of a Program, and for a traced module the object with
/// its parameters. Immutable, cheap to copy.
///
///   Function f = trace(fn("bar", bar, {"a"}), {tensor(2)});
///   Tensor y = f.run({tensor(3)}).toTensor();            // on this thread
///   Future<> later = f.runAsync(scheduler, {tensor(3)});  // returns at once
///
/// \thread any
class Function {
public:
  Function(Program program, std::string name, IValue self = {});

  const std::string& name() const { return name_; }
  const Graph& graph() const { return *graph_; }
  const CompilationUnit& unit() const { return program_.unit(); }
  const Program& program() const { return program_; }
  /// The object that runs pass as the first input; None for plain functions.
  const IValue& self() const { return self_; }
  /// `bar(Tensor a) -> Tensor`, without the object and without what the example's sizes were.
  std::string signature() const;
  /// Runs with arguments by place and by name, on the scheduler's workers or, without one, on this
  /// thread. \errors TypeError, as Python words it
  IValue call(Scheduler* scheduler, Arguments arguments, Where at = Where::current()) const;

  /// Runs on this thread; forks run when they are waited for. Tensors of any shape and dtype fit a
  /// tensor parameter; parameters of a source that have defaults may be left out. \errors TypeError
  /// for inputs that do not fit the signature, at the place of the call; what the program raises;
  /// TraceError for inputs that a trace is computing
  IValue run(llvm::ArrayRef<IValue> inputs, Where at = Where::current()) const;
  /// Runs on the scheduler's workers and waits.
  IValue run(Scheduler& scheduler, std::vector<IValue> inputs, Where at = Where::current()) const;
  /// As run, with errors as a Result.
  Result<IValue> tryRun(std::vector<IValue> inputs, Where at = Where::current()) const;
  Result<IValue> tryRun(Scheduler& scheduler, std::vector<IValue> inputs,
                        Where at = Where::current()) const;
  /// Starts on the scheduler's workers, from any thread, and returns at once; on a scheduler
  /// without workers the run is over when this returns. \errors TypeError
  Future<> runAsync(Scheduler& scheduler, std::vector<IValue> inputs,
                    Where at = Where::current()) const;

  /// The same with a deadline, a token to stop it, a seed of random numbers:
  ///   f.run(scheduler, {x}, {.deadline = deadlineIn(std::chrono::seconds(2))});
  /// \errors Timeout, Cancelled
  IValue run(std::vector<IValue> inputs, const TaskContext& context,
             Where at = Where::current()) const;
  IValue run(Scheduler& scheduler, std::vector<IValue> inputs, const TaskContext& context,
             Where at = Where::current()) const;
  Result<IValue> tryRun(std::vector<IValue> inputs, const TaskContext& context,
                        Where at = Where::current()) const;
  Result<IValue> tryRun(Scheduler& scheduler, std::vector<IValue> inputs,
                        const TaskContext& context, Where at = Where::current()) const;
  Future<> runAsync(Scheduler& scheduler, std::vector<IValue> inputs, const TaskContext& context,
                    Where at = Where::current()) const;

private:
  Future<> start(Scheduler& scheduler, std::vector<IValue> inputs, const TaskContext* context,
                 Where at) const;
  IValue runAndWait(Scheduler& scheduler, std::vector<IValue> inputs, const TaskContext* context,
                    Where at) const;
  /// Runs on this thread. An error of the program's goes to `error`, and is not thrown.
  IValue runHere(llvm::ArrayRef<IValue> inputs, Where at,
                 std::shared_ptr<const Error>& error) const;
  /// Do they fit without a closer look, outside of traces?
  bool isPlain(llvm::ArrayRef<IValue> inputs) const;
  /// Adds defaults and the object; ints for floats become floats. \errors as run
  void check(llvm::SmallVectorImpl<IValue>& inputs, Where at) const;
  const IValue* defaultOf(std::size_t input) const; ///< input: without the object

  Program program_;
  std::string name_;
  const Graph* graph_;
  const FunctionCode* code_;
  /// Of each input, what fits without a closer look; Uninitialized, which no input is, if nothing.
  llvm::SmallVector<Tag, 4> plain_;
  IValue self_;
};

} // namespace tine
