#include "frontend/trace/module.h"

#include "frontend/trace/signature.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <cxxabi.h>
#include <typeinfo>

namespace tine {

namespace {
/// `a::(anonymous namespace)::f(int)::B<C>` as `a.B_C_`: what can be part of a name in Python.
std::string pythonName(llvm::StringRef cpp) {
  std::string out, part;
  int depth = 0;
  bool call = false; // the part is a function or an unnamed namespace
  const auto endPart = [&] {
    if (!call && !part.empty()) out += (out.empty() ? "" : ".") + part;
    part.clear();
    call = false;
  };
  for (std::size_t i = 0; i < cpp.size(); ++i) {
    const char c = cpp[i];
    if (c == '(' || c == '<') ++depth;
    if (c == '(' && depth == 1) call = true;
    if (c == ')' || c == '>') --depth;
    if (depth == 0 && cpp.substr(i).starts_with("::")) {
      endPart();
      ++i;
    } else {
      part += llvm::isAlnum(c) ? c : '_';
    }
  }
  endPart();
  return out.empty() ? "Module" : out;
}
} // namespace

void Module::checkName(const std::string& name) const {
  if (!isIdentifier(name))
    raise(error_kind::Value, "'" + name + "' is not a name that a module's part can have");
  const auto taken = [&](const auto& list) {
    return llvm::any_of(list, [&](const auto& item) { return item.first == name; });
  };
  const auto isIt = [&](const Attribute& attribute) { return attribute.name == name; };
  if (taken(parameters_) || taken(buffers_) || taken(children_) || llvm::any_of(attributes_, isIt))
    raise(error_kind::Value, "the module has a '" + name + "' already");
}

Tensor Module::registerParameter(std::string name, Tensor value) {
  checkName(name);
  if (!value.defined()) raise(error_kind::Value, "parameter '" + name + "' is undefined");
  return parameters_.emplace_back(std::move(name), std::move(value)).second;
}

Tensor Module::registerBuffer(std::string name, Tensor value) {
  checkName(name);
  if (!value.defined()) raise(error_kind::Value, "buffer '" + name + "' is undefined");
  return buffers_.emplace_back(std::move(name), std::move(value)).second;
}

void Module::registerAttribute(std::string name, IValue value, std::string type) {
  checkName(name);
  attributes_.push_back({std::move(name), std::move(value), std::move(type)});
}

void Module::define(std::string source, std::string file) {
  definitions_.push_back({std::move(source), std::move(file)});
}

void Module::addChild(std::string name, std::shared_ptr<Module> child) {
  checkName(name);
  if (!child) raise(error_kind::Value, "module '" + name + "' is null");
  children_.emplace_back(std::move(name), std::move(child));
}

std::string Module::qualifiedName() const {
  if (!className_.empty()) return "__torch__." + className_;
  const char* mangled = typeid(*this).name();
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  return "__torch__." + pythonName(status == 0 ? demangled.get() : mangled);
}

ModuleTree::ModuleTree(const Module& root) {
  struct Open {
    Part* part;
    std::size_t nextChild;
  };
  llvm::StringMap<int> classes;
  int mangled = 0;
  std::vector<Open> stack;
  const auto open = [&](const Module& module, const Part* parent, llvm::StringRef name) {
    parts_.push_back(std::make_unique<Part>());
    Part& part = *parts_.back();
    part.module = &module;
    part.parent = parent;
    part.name = name.str();
    part.path = parent && !parent->path.empty() ? parent->path + "." + part.name : part.name;
    byModule_[&module] = &part;
    stack.push_back({&part, 0});
  };
  open(root, nullptr, "");
  while (!stack.empty()) {
    Part& part = *stack.back().part;
    const auto& children = part.module->children();
    if (stack.back().nextChild == children.size()) {
      addObject(part, classes, mangled);
      stack.pop_back();
      continue;
    }
    const auto& [name, child] = children[stack.back().nextChild++];
    if (const Part* known = find(child.get())) { // a part of two modules, or of itself
      if (known->object.isNone())
        raise(error_kind::Trace, "module '" + name + "' of " + part.module->qualifiedName() +
                                     " contains the module that it is part of");
      continue;
    }
    owners_[child.get()] = {&part, name};
    open(*child, &part, name);
  }
}

/// Gives a part, whose children have theirs, its class name and object. Every module has a class of
/// its own, as its methods are its own. \source TorchScript's name mangling
void ModuleTree::addObject(Part& part, llvm::StringMap<int>& classes, int& mangled) {
  part.className = part.module->qualifiedName();
  while (!classes.try_emplace(part.className, 0).second) {
    const std::string name = part.module->qualifiedName();
    const std::size_t dot = name.rfind('.');
    part.className =
        name.substr(0, dot) + ".___torch_mangle_" + std::to_string(mangled++) + name.substr(dot);
  }
  auto layout = std::make_shared<ClassLayout>();
  layout->name = part.className;
  auto object = makeRef<Object>();
  const auto add = [&](const std::string& name, IValue value) {
    layout->attributes.push_back(name);
    object->slots.push_back(std::move(value));
  };
  for (const auto* list : {&part.module->parameters(), &part.module->buffers()})
    for (const auto& [name, tensor] : *list) {
      add(name, tensor);
      owners_.try_emplace(tensor.impl(), Owner{&part, name});
      storages_[tensor.impl()->storage] = true;
    }
  for (const Module::Attribute& attribute : part.module->attributes())
    add(attribute.name, attribute.value);
  for (const auto& [name, child] : part.module->children()) add(name, find(child.get())->object);
  object->layout = std::move(layout);
  part.object = IValue(std::move(object));
}

void ModuleTree::forEachTensor(llvm::function_ref<void(const Tensor&)> f) const {
  for (const auto& part : parts_)
    for (const auto* list : {&part->module->parameters(), &part->module->buffers()})
      for (const auto& [name, tensor] : *list) f(tensor);
}

const ModuleTree::Part* ModuleTree::find(const Module* module) const {
  return byModule_.lookup(module);
}

const ModuleTree::Owner* ModuleTree::owner(const void* id) const {
  const auto it = owners_.find(id);
  return it == owners_.end() ? nullptr : &it->second;
}

} // namespace tine
