#pragma once

#include "frontend/trace/boxing.h"

namespace tine {

/// An argument given by name: `arg("b", 2)`. In a Signature, a parameter with a default.
struct Keyword {
  std::string name;
  Operand value;
};
template <Passes T> Keyword arg(std::string name, const T& value) {
  return {std::move(name), Operand(value)};
}

/// The name of a parameter, and what it is when no argument is given.
struct Parameter {
  Parameter(const char* n) : name(n) {}
  Parameter(std::string n) : name(std::move(n)) {}
  Parameter(Keyword k) : name(std::move(k.name)), defaultValue(std::move(k.value)) {}
  std::string name;
  std::optional<Operand> defaultValue;
};
using Signature = std::vector<Parameter>;

/// The arguments of one call, in two kinds.
struct Arguments {
  std::vector<Operand> positional;
  std::vector<Keyword> keywords;

  template <class... A> static Arguments of(const A&... arguments) {
    Arguments all;
    (all.add(arguments), ...);
    return all;
  }
  void add(const Keyword& argument) { keywords.push_back(argument); }
  void add(const char* argument) { positional.emplace_back(argument); }
  template <class T> void add(const T& argument) {
    static_assert(Passes<T>, "only tensors, numbers, strings, futures, and tuples, vectors and "
                             "maps of them can be arguments; a lambda can capture anything");
    positional.push_back(Operand(argument));
  }
};

/// Can text and Python have it as a name of an argument, or of a part of a module?
bool isIdentifier(llvm::StringRef name);

/// One operand for each parameter. \errors TypeError, as Python words it: too many arguments, one
/// given twice, unknown or missing
std::vector<Operand> bindArguments(llvm::StringRef function, const Signature& signature,
                                   std::size_t arity, Arguments arguments, Where at);
/// \errors ValueError unless there is a distinct name for each of `arity` parameters, or none
void checkSignature(llvm::StringRef function, const Signature& signature, std::size_t arity);

/// The names alone; empty without a signature.
std::vector<std::string> namesOf(const Signature& signature);

} // namespace tine
