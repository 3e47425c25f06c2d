#include "frontend/trace/signature.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tine {

bool isIdentifier(llvm::StringRef name) {
  return !name.empty() && !llvm::isDigit(name[0]) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

namespace {
std::string listNames(const Signature& signature) {
  std::string out = "(";
  for (const Parameter& parameter : signature) out += (out.size() > 1 ? ", " : "") + parameter.name;
  return out + ")";
}
} // namespace

void checkSignature(llvm::StringRef function, const Signature& signature, std::size_t arity) {
  if (!signature.empty() && signature.size() != arity)
    raise(error_kind::Value, function.str() + " takes " + std::to_string(arity) +
                                 " arguments, but " + std::to_string(signature.size()) +
                                 " names are given: " + listNames(signature));
  llvm::StringSet<> seen;
  for (const Parameter& parameter : signature) {
    if (!isIdentifier(parameter.name))
      raise(error_kind::Value,
            function.str() + " has an argument named '" + parameter.name + "', which is no name");
    if (!seen.insert(parameter.name).second)
      raise(error_kind::Value,
            function.str() + " has two arguments named '" + parameter.name + "'");
  }
}

std::vector<Operand> bindArguments(llvm::StringRef function, const Signature& signature,
                                   std::size_t arity, Arguments arguments, Where at) {
  const std::string name = (function.empty() ? "the function" : function).str();
  const auto fail = [&](const std::string& message) {
    throw RuntimeError(Error(error_kind::Type, name + message, placeOf(at)));
  };
  const std::string takes = " takes " + std::to_string(arity) +
                            (arity == 1 ? " argument" : " arguments") +
                            (signature.empty() ? "" : " " + listNames(signature));
  if (arguments.positional.size() > arity)
    fail(takes + ", but " + std::to_string(arguments.positional.size()) + " are given");
  if (!arguments.keywords.empty() && signature.empty())
    fail(arity == 0 ? takes + ", but '" + arguments.keywords.front().name + "' is given"
                    : " has no argument names, so that '" + arguments.keywords.front().name +
                          "' cannot be given by name: wrap it in fn(name, f, {names})");

  std::vector<std::optional<Operand>> bound(arity);
  for (std::size_t i = 0; i < arguments.positional.size(); ++i)
    bound[i] = std::move(arguments.positional[i]);
  for (Keyword& keyword : arguments.keywords) {
    const auto it =
        llvm::find_if(signature, [&](const Parameter& p) { return p.name == keyword.name; });
    if (it == signature.end()) fail(" has no argument '" + keyword.name + "'; it" + takes);
    std::optional<Operand>& slot = bound[static_cast<std::size_t>(it - signature.begin())];
    if (slot) fail(" got two values for argument '" + keyword.name + "'");
    slot = std::move(keyword.value);
  }
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < arity; ++i) {
    if (!bound[i] && i < signature.size()) bound[i] = signature[i].defaultValue;
    if (!bound[i])
      fail(i < signature.size()
               ? " misses argument '" + signature[i].name + "'; it" + takes
               : takes + ", but " + std::to_string(arguments.positional.size()) + " are given");
    operands.push_back(std::move(*bound[i]));
  }
  return operands;
}

std::vector<std::string> namesOf(const Signature& signature) {
  std::vector<std::string> names;
  for (const Parameter& parameter : signature) names.push_back(parameter.name);
  return names;
}

} // namespace tine
