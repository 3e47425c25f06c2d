#include "api/function.h"

#include "frontend/script/compile.h"
#include "frontend/script/compiler.h"
#include "interpreter/spare.h"
#include "ir/parse.h"
#include "ir/verify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fstream>
#include <sstream>

namespace tine {

struct Program::Data {
  Data(CompilationUnit u, std::shared_ptr<const Code> c, Texts t)
      : unit(std::move(u)), code(std::move(c)), texts(std::move(t)) {}

  const CompilationUnit unit;
  const std::shared_ptr<const Code> code;
  const Texts texts;            ///< what it was compiled from
  mutable SpareScheduler spare; ///< for runs that bring none
};

Result<Program> Program::create(CompilationUnit unit, std::shared_ptr<const OpSet> ops) {
  return create(std::move(unit), std::move(ops), Texts());
}

Result<Program> Program::create(CompilationUnit unit, std::shared_ptr<const OpSet> ops,
                                Texts texts) {
  if (unit.empty()) return Error(error_kind::Value, "a program without functions");
  TINE_TRY(auto verified, verify(unit));
  (void)verified;
  TINE_TRY(auto code, compile(unit, std::move(ops)));
  return Program(std::make_shared<const Data>(std::move(unit), std::move(code), std::move(texts)));
}

const CompilationUnit& Program::unit() const { return data_->unit; }
const Code& Program::code() const { return *data_->code; }

const NativeClasses& Program::classes() const { return data_->code->ops().classes(); }

SourceLines Program::lines() const {
  SourceLines lines(SourceLines::Files::Leave);
  for (auto& [file, path] : unit().context()->paths()) lines.addFile(file, std::move(path));
  for (const auto& [file, source] : data_->texts) lines.add(file, source);
  return lines;
}

std::vector<std::string> Program::functionNames() const {
  std::vector<std::string> names;
  for (const NamedGraph& function : unit().functions()) names.push_back(function.name);
  return names;
}

Result<Function> Program::function(llvm::StringRef name) const {
  if (name.empty()) return Function(*this, unit().functions().front().name);
  if (unit().find(name)) return Function(*this, name.str());
  const std::vector<std::string> names = functionNames();
  const std::string near = script::Compiler::nearest(name, names);
  return Error(error_kind::Value,
               "there is no function '" + name.str() + "'" +
                   (near.empty() ? "; there are " + llvm::join(names, ", ") : near));
}

Result<Program> parseProgram(llvm::StringRef text, llvm::StringRef file,
                             std::shared_ptr<const OpSet> ops) {
  TINE_TRY(CompilationUnit unit, parse(text, file));
  return Program::create(std::move(unit), std::move(ops));
}

IValue Program::run(llvm::StringRef name, std::vector<IValue> inputs, Where at) const {
  return called(detail::Called(name, at)).run(std::move(inputs), at);
}

Function Program::called(const detail::Called& name) const {
  Result<Function> found = function(name.name);
  if (found) return *std::move(found);
  throw RuntimeError(Error(found.error().kind, found.error().message, placeOf(name.at)));
}

IValue Program::call(Scheduler* scheduler, const detail::Called& name, Arguments arguments) const {
  return called(name).call(scheduler, std::move(arguments), name.at);
}

Result<Program> compile(std::string source, std::string file, std::shared_ptr<const OpSet> ops) {
  const auto module = script::parsePartly(source, file);
  TINE_TRY(CompilationUnit unit, script::compile(*module, ops));
  return Program::create(std::move(unit), std::move(ops),
                         Program::Texts{{std::move(file), std::move(source)}});
}

Result<Program> loadProgram(const std::string& path, std::shared_ptr<const OpSet> ops) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  const bool some = stream && stream.peek() != std::ifstream::traits_type::eof();
  if (!stream.is_open() || stream.bad() || (some && !(text << stream.rdbuf())))
    return Error(error_kind::Io, "cannot read '" + path + "'");
  if (llvm::StringRef(path).ends_with(".py")) return compile(text.str(), path, std::move(ops));
  return parseProgram(text.str(), path, std::move(ops));
}

// ---- functions --------------------------------------------------------------------------------

namespace {
using Inputs = llvm::SmallVector<IValue, 8>;

/// Does the value fit the declared type? A tensor of any shape and dtype fits a tensor type, as the
/// sizes in traced graphs are the examples'.
bool fits(const IValue& value, const Type* type) {
  return type->is(TypeKind::Tensor) ? value.isTensor() : isInstance(value, type);
}

/// Which part of a container is of another type: ` whose [1] is str`; empty when the value itself
/// is. Not for types that say nothing of their parts.
std::string misfit(const IValue& value, const Type* type) {
  std::string path;
  const IValue* at = &value;
  const auto step = [&](const IValue& part, const Type* of, const std::string& index) {
    if (fits(part, of)) return false;
    path += "[" + index + "]";
    at = &part;
    type = of;
    return true;
  };
  for (bool deeper = true; deeper;) {
    deeper = false;
    type = type->is(TypeKind::Optional) ? type->element() : type;
    if (at->isList() && type->is(TypeKind::List)) {
      const auto& items = at->toList().items;
      for (std::size_t i = 0; i < items.size() && !deeper; ++i)
        deeper = step(items[i], type->element(), std::to_string(i));
    } else if (at->isTuple() && type->is(TypeKind::Tuple)) {
      const auto& items = at->toTuple().items;
      if (items.size() != type->elements().size())
        return (path.empty() ? "" : " whose " + path + " is a tuple") + " of " +
               std::to_string(items.size());
      for (std::size_t i = 0; i < items.size() && !deeper; ++i)
        deeper = step(items[i], type->elements()[i], std::to_string(i));
    } else if (at->isDict() && type->is(TypeKind::Dict)) {
      for (const auto& [key, item] : at->toDict().items) {
        if (!fits(key, type->elements()[0]))
          return " with the key " + key.str() + (path.empty() ? "" : " in " + path);
        if ((deeper = step(item, type->elements()[1], key.str()))) break;
      }
    }
  }
  return path.empty() ? "" : " whose " + path + " is " + tine::name(at->tag()).str();
}

/// A parameter's name as its source has it: without the number of the value.
llvm::StringRef parameterName(const Value* parameter) {
  const auto [name, number] = parameter->name().str().rsplit('.');
  return number.empty() || !llvm::all_of(number, llvm::isDigit) ? parameter->name().str() : name;
}

/// The tag that all values of this type have, and no others; Uninitialized if there is none.
Tag plainTag(const Type* type) {
  if (type->is(TypeKind::Tensor)) return Tag::Tensor;
  if (type->is(TypeKind::Int)) return Tag::Int;
  if (type->is(TypeKind::Float)) return Tag::Double;
  if (type->is(TypeKind::Bool)) return Tag::Bool;
  return Tag::Uninitialized;
}
} // namespace

Function::Function(Program program, std::string name, IValue self)
    : program_(std::move(program)), name_(std::move(name)), graph_(program_.unit().find(name_)),
      code_(program_.code().find(name_)), self_(std::move(self)) {
  TINE_CHECK_MSG(graph_ && code_, "no function of that name");
  for (const Value* parameter : graph_->inputs().drop_front(self_.isNone() ? 0 : 1))
    plain_.push_back(plainTag(parameter->type()));
}

const IValue* Function::defaultOf(std::size_t input) const {
  return unit().findFunction(name_)->defaultOf(input + (self_.isNone() ? 0 : 1));
}

std::string Function::signature() const {
  const auto plain = [](const Type* type) {
    std::string text;
    type->printPlain(text);
    return text;
  };
  std::string out = name_ + "(";
  const auto inputs = graph_->inputs().drop_front(self_.isNone() ? 0 : 1);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i) out += ", ";
    out += plain(inputs[i]->type());
    if (inputs[i]->hasName()) out += " " + parameterName(inputs[i]).str();
    if (const IValue* value = defaultOf(i)) out += "=" + value->str();
  }
  out += ") -> ";
  const Operands outputs = graph_->outputs();
  if (outputs.size() == 1) return out + plain(outputs[0]->type());
  out += "(";
  for (std::size_t i = 0; i < outputs.size(); ++i)
    out += (i ? ", " : "") + plain(outputs[i]->type());
  return out + ")";
}

bool Function::isPlain(llvm::ArrayRef<IValue> inputs) const {
  if (inputs.size() != plain_.size() || !self_.isNone() || Recorder::active()) return false;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].tag() != plain_[i]) return false;
  return true;
}

IValue Function::call(Scheduler* scheduler, Arguments arguments, Where at) const {
  Signature names;
  const auto inputs = graph_->inputs().drop_front(self_.isNone() ? 0 : 1);
  for (const Value* input : inputs) {
    if (!input->hasName()) break;
    Parameter parameter(parameterName(input).str());
    if (const IValue* value = defaultOf(names.size())) parameter.defaultValue = Operand::of(*value);
    names.push_back(std::move(parameter));
  }
  if (names.size() != inputs.size()) names.clear(); // a graph whose inputs have no names
  if (names.empty() && !inputs.empty() && !arguments.keywords.empty())
    throw RuntimeError(Error(error_kind::Type,
                             "the inputs of " + name_ + " have no names, so that '" +
                                 arguments.keywords.front().name + "' cannot be given by name",
                             placeOf(at)));
  std::vector<IValue> values;
  for (const Operand& operand :
       bindArguments(name_, names, inputs.size(), std::move(arguments), at))
    values.push_back(detail::plainValue(operand));
  return scheduler ? run(*scheduler, std::move(values), at) : run(values, at);
}

void Function::check(llvm::SmallVectorImpl<IValue>& inputs, Where at) const {
  if (isPlain(inputs)) return;
  const bool records = Recorder::active();
  const auto parameters = graph_->inputs().drop_front(self_.isNone() ? 0 : 1);
  const auto fail = [&](const std::string& message) {
    throw RuntimeError(Error(error_kind::Type, message + ": " + signature(), placeOf(at)));
  };
  while (inputs.size() < parameters.size() && defaultOf(inputs.size()))
    inputs.push_back(*defaultOf(inputs.size()));
  if (inputs.size() != parameters.size())
    fail(name_ + " takes " + std::to_string(parameters.size()) +
         (parameters.size() == 1 ? " input" : " inputs") + ", but " +
         std::to_string(inputs.size()) + (inputs.size() == 1 ? " is given" : " are given"));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Type* type = parameters[i]->type();
    if (type->is(TypeKind::Float) && inputs[i].isInt())
      inputs[i] = static_cast<double>(inputs[i].toInt());
    if (!fits(inputs[i], type)) {
      std::string wanted;
      type->printPlain(wanted);
      fail("input " +
           (parameters[i]->hasName() ? "'" + parameterName(parameters[i]).str() + "'"
                                     : std::to_string(i + 1)) +
           " must be of type " + wanted + ", not " + tine::name(inputs[i].tag()).str() +
           misfit(inputs[i], type));
    }
    if (!records) continue;
    if (const Operand input = Operand::of(inputs[i]); const Where* made = madeAt(input))
      throw RuntimeError(
          Error(error_kind::Trace,
                "a graph cannot run inside a trace on what the trace computes here, as its result "
                "would be a constant: call the C++ function that it was traced from",
                placeOf(*made))
              .note("it runs here", placeOf(at)));
  }
  if (!self_.isNone()) inputs.insert(inputs.begin(), self_);
}

Future<> Function::start(Scheduler& scheduler, std::vector<IValue> inputs,
                         const TaskContext* context, Where at) const {
  Inputs all(std::make_move_iterator(inputs.begin()), std::make_move_iterator(inputs.end()));
  check(all, at);
  inputs.assign(std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
  const Recorder::Pause pause; // of a trace around: nothing of the run belongs to it
  return Future<>(scheduler.run(program_.data_->code, *code_, std::move(inputs), context));
}

IValue Function::runAndWait(Scheduler& scheduler, std::vector<IValue> inputs,
                            const TaskContext* context, Where at) const {
  const Future<> running = start(scheduler, std::move(inputs), context, at);
  const Recorder::Pause pause; // of a trace around, in which the result is a constant
  return running.wait(at);
}

namespace {
template <class F> Result<IValue> tried(F f) {
  try {
    return f();
  } catch (const RuntimeError& e) {
    return e.error();
  }
}
} // namespace

IValue Function::runHere(llvm::ArrayRef<IValue> inputs, Where at,
                         std::shared_ptr<const Error>& error) const {
  const Program::Data& data = *program_.data_;
  if (isPlain(inputs)) return data.spare.call(data.code, *code_, inputs, error);
  Inputs all(inputs.begin(), inputs.end());
  check(all, at);
  const Recorder::Pause pause; // of a trace around, in which the result is a constant
  return data.spare.call(data.code, *code_, all, error);
}

IValue Function::run(llvm::ArrayRef<IValue> inputs, Where at) const {
  // Thrown only here, so that it passes few functions.
  std::shared_ptr<const Error> error;
  IValue result = runHere(inputs, at, error);
  if (error) throw RuntimeError(std::move(error));
  return result;
}

IValue Function::run(std::vector<IValue> inputs, const TaskContext& context, Where at) const {
  Scheduler inlineScheduler({.workers = 0});
  return runAndWait(inlineScheduler, std::move(inputs), &context, at);
}
IValue Function::run(Scheduler& scheduler, std::vector<IValue> inputs, Where at) const {
  return runAndWait(scheduler, std::move(inputs), nullptr, at);
}
IValue Function::run(Scheduler& scheduler, std::vector<IValue> inputs, const TaskContext& context,
                     Where at) const {
  return runAndWait(scheduler, std::move(inputs), &context, at);
}

Result<IValue> Function::tryRun(std::vector<IValue> inputs, Where at) const {
  return tried([&]() -> Result<IValue> {
    std::shared_ptr<const Error> error;
    IValue result = runHere(inputs, at, error);
    if (error) return *error;
    return result;
  });
}
Result<IValue> Function::tryRun(std::vector<IValue> inputs, const TaskContext& context,
                                Where at) const {
  return tried([&] { return run(std::move(inputs), context, at); });
}
Result<IValue> Function::tryRun(Scheduler& scheduler, std::vector<IValue> inputs, Where at) const {
  return tried([&] { return run(scheduler, std::move(inputs), at); });
}
Result<IValue> Function::tryRun(Scheduler& scheduler, std::vector<IValue> inputs,
                                const TaskContext& context, Where at) const {
  return tried([&] { return run(scheduler, std::move(inputs), context, at); });
}

Future<> Function::runAsync(Scheduler& scheduler, std::vector<IValue> inputs, Where at) const {
  return start(scheduler, std::move(inputs), nullptr, at);
}
Future<> Function::runAsync(Scheduler& scheduler, std::vector<IValue> inputs,
                            const TaskContext& context, Where at) const {
  return start(scheduler, std::move(inputs), &context, at);
}

} // namespace tine
