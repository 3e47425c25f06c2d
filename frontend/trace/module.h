#pragma once

#include "frontend/trace/operand.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tine {

template <class M> class Child;

/// A function with parameters, buffers and parts of its own; derive from it and write `forward`.
///
///   struct Gate : Module {
///     Tensor weight = registerParameter("weight", tensor({1., 2., 3.}));
///     static Signature signature() { return {"x", arg("b", 1)}; }   // for keyword arguments
///     Tensor forward(Tensor x, int64_t b) { return relu(x * weight + b); }
///   };
///   struct Net : Module {
///     Child<Gate> gate = registerModule("gate", Gate());
///     Tensor forward(Tensor x) { return wait(fork(gate, x, arg("b", 2))); }
///   };
///
/// Or its methods are source, and no class of its own is needed; compile (api/script_module.h)
/// makes a module that runs of it:
///
///   Module scale("Scale");
///   scale.registerParameter("w", tensor({1., 2.}));
///   scale.registerAttribute("calls", 0);
///   scale.define("def forward(self, x):\n    self.calls += 1\n    return x * self.w\n");
///
/// In a trace, registered tensors become `prim::GetAttr` and calls of a Child methods; what is not
/// registered becomes constants. \thread not safe
class Module {
public:
  /// `className`: what graphs call it, after `__torch__.`; empty stands for its C++ name.
  explicit Module(std::string className = "") : className_(std::move(className)) {}
  virtual ~Module() = default;

  /// \errors ValueError for a name that is taken or not an identifier
  Tensor registerParameter(std::string name, Tensor value);
  /// As a parameter, listed after them.
  Tensor registerBuffer(std::string name, Tensor value);
  /// Any other value, for methods from source, which read and write it. `type`, as annotations
  /// spell it, is needed where the value does not tell: `registerAttribute("seen",
  /// IValue::list({}), "List[str]")`.
  void registerAttribute(std::string name, IValue value, std::string type = "");
  /// Methods, as TorchScript source; each has the object as its first parameter. They may call and
  /// fork each other and those of the modules in this one, whatever is defined first: all is
  /// compiled together. `file` names the text in messages; empty stands for `<string>`.
  void define(std::string source, std::string file = "");
  template <class M> Child<M> registerModule(std::string name, std::shared_ptr<M> child) {
    addChild(std::move(name), child);
    return Child<M>(std::move(child));
  }
  template <class M> Child<M> registerModule(std::string name, M child) {
    return registerModule(std::move(name), std::make_shared<M>(std::move(child)));
  }

  struct Attribute {
    std::string name;
    IValue value;
    std::string type; ///< may be empty
  };
  struct Text {
    std::string source, file;
  };
  using NamedTensor = std::pair<std::string, Tensor>;
  using NamedModule = std::pair<std::string, std::shared_ptr<Module>>;
  const std::vector<NamedTensor>& parameters() const { return parameters_; }
  const std::vector<NamedTensor>& buffers() const { return buffers_; }
  const std::vector<NamedModule>& children() const { return children_; }
  const std::vector<Attribute>& attributes() const { return attributes_; }
  const std::vector<Text>& definitions() const { return definitions_; }
  /// `__torch__.programs.Gate` of a C++ class programs::Gate.
  std::string qualifiedName() const;

private:
  void checkName(const std::string& name) const;
  void addChild(std::string name, std::shared_ptr<Module> child);

  std::string className_;
  std::vector<NamedTensor> parameters_, buffers_;
  std::vector<NamedModule> children_;
  std::vector<Attribute> attributes_;
  std::vector<Text> definitions_;
};

/// A registered module: `gate(x)` calls its forward, in a trace as a method; `gate->` is the C++
/// object.
template <class M> class Child {
public:
  Child() = default;
  explicit Child(std::shared_ptr<M> module) : module_(std::move(module)) {}
  M& operator*() const { return *module_; }
  M* operator->() const { return module_.get(); }
  template <class... A> decltype(auto) operator()(A&&... arguments) const;

private:
  std::shared_ptr<M> module_;
};

/// The modules below one, as a trace sees them: a class, a path and an object for each.
class ModuleTree {
public:
  /// \errors TraceError for a module inside itself
  explicit ModuleTree(const Module& root);

  struct Part {
    const Module* module;
    const Part* parent; ///< null of the root
    std::string name;   ///< in its parent
    std::string path;   ///< `left.gate`; empty of the root
    std::string className;
    IValue object;
  };
  /// Who holds a tensor or module, and as what.
  struct Owner {
    const Part* part;
    std::string name;
  };
  const Part& root() const { return *parts_.front(); }
  const std::vector<std::unique_ptr<Part>>& parts() const { return parts_; } ///< the root first
  const Part* find(const Module* module) const;
  /// Of a tensor's address, or a module's; null when it is not in the tree.
  const Owner* owner(const void* id) const;
  bool holdsStorage(const Storage* storage) const { return storages_.count(storage) != 0; }
  /// Calls `f` with every parameter and buffer.
  void forEachTensor(llvm::function_ref<void(const Tensor&)> f) const;

private:
  void addObject(Part& part, llvm::StringMap<int>& classes, int& mangled);

  std::vector<std::unique_ptr<Part>> parts_; // the root first
  llvm::DenseMap<const Module*, const Part*> byModule_;
  llvm::DenseMap<const void*, Owner> owners_;
  llvm::DenseMap<const Storage*, bool> storages_;
};

} // namespace tine
