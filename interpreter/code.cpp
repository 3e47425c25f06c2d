#include "interpreter/code.h"

#include "tensor/future.h"

#include <algorithm>

namespace tine {
namespace {

const char* opcodeName(Opcode op) {
  static constexpr const char* kNames[] = {
#define TINE_OPCODE(id, layout) #id,
#include "interpreter/instr.def"
  };
  return kNames[static_cast<int>(op)];
}

enum class Layout : std::uint8_t { A, AB, ABC, AX, AJ, B, BC, J, X };
Layout layout(Opcode op) {
  static constexpr Layout kLayouts[] = {
#define TINE_OPCODE(id, layout) Layout::layout,
#include "interpreter/instr.def"
  };
  return kLayouts[static_cast<int>(op)];
}

bool allOf(const std::vector<IValue>& items, const Type* type) {
  return std::all_of(items.begin(), items.end(),
                     [&](const IValue& item) { return isInstance(item, type); });
}

} // namespace

static const FunctionCode::Row* rowOf(const FunctionCode& function, std::uint32_t pc) {
  auto row =
      std::upper_bound(function.rows.begin(), function.rows.end(), pc,
                       [](std::uint32_t at, const FunctionCode::Row& r) { return at < r.pc; });
  return row == function.rows.begin() ? nullptr : &*std::prev(row);
}

static Place placeOf(const Location& location) {
  Place place;
  if (location.file.empty()) return place;
  place.file = location.file.str().str();
  place.line = location.line;
  place.column = location.column + 1u;
  return place;
}

Place FunctionCode::place(std::uint32_t pc) const {
  const Row* row = rowOf(*this, pc);
  return row ? placeOf(row->location) : Place();
}

void FunctionCode::trace(std::uint32_t pc, TraceEntry::Edge edge,
                         std::vector<TraceEntry>& out) const {
  const Row* row = rowOf(*this, pc);
  std::vector<const Inlined*> chain; // innermost first
  for (std::uint32_t i = row ? row->inlined : kNotInlined; i != kNotInlined; i = inlined[i].outer)
    chain.push_back(&inlined[i]);
  std::string current = name;
  for (; !chain.empty(); chain.pop_back()) {
    const Inlined& site = *chain.back();
    out.push_back({edge, current, placeOf(site.location)});
    if (!site.function.empty()) current = site.function;
    edge = site.fork ? TraceEntry::Edge::Fork : TraceEntry::Edge::Call;
  }
  out.push_back({edge, std::move(current), place(pc)});
}

std::string FunctionCode::str() const {
  std::string out = name + ": " + std::to_string(numInputs) + " inputs, " +
                    std::to_string(numRegisters) + " registers\n";
  const auto source = [&](std::uint32_t index) {
    return index < kConstant ? "r" + std::to_string(index) : constants[index - kConstant].str();
  };
  const auto siteText = [&](std::uint32_t x) {
    const Site& site = sites[x];
    std::string text;
    if (site.op)
      text += " " + site.op->schema.name +
              (site.op->schema.overload.empty() ? "" : "." + site.op->schema.overload);
    if (site.target) text += " " + site.target->name;
    text += "(";
    for (std::uint32_t i = 0; i < site.numSources; ++i) {
      const Source& s = sources[site.firstSource + i];
      text += (i ? ", " : "") + source(s.index) +
              (s.dies || (i < 64 && site.dying >> i & 1) ? "!" : "");
    }
    text += ")";
    for (std::uint32_t i = 0; i < site.numResults; ++i)
      text += (i ? ", r" : " -> r") + std::to_string(registers[site.firstResult + i]);
    for (std::uint32_t i = 0; i < site.numDrops; ++i)
      text += (i ? ", r" : " drop r") + std::to_string(registers[site.firstDrop + i]);
    return text;
  };
  for (std::uint32_t pc = 0; pc < instrs.size(); ++pc) {
    const Instr& instr = instrs[pc];
    const std::string a = " r" + std::to_string(instr.a);
    const std::string target =
        " " + std::to_string(static_cast<std::int64_t>(pc) + 1 + instr.jump());
    out += std::to_string(pc) + "  " + opcodeName(instr.op);
    const auto b = [&] { return " " + source(instr.b) + (instr.dies ? "!" : ""); };
    switch (layout(instr.op)) {
    case Layout::A:
      out += a;
      break;
    case Layout::AB:
      out += a + b();
      break;
    case Layout::ABC:
      out += a + (instr.op == Opcode::ListAppend ? " " + source(instr.b) : b());
      if (instr.op == Opcode::GetAttr || instr.op == Opcode::HasAttr || instr.op == Opcode::SetAttr)
        out += " " + names[instr.c];
      else
        out += " " + (instr.op == Opcode::IsInstance || instr.op == Opcode::Collect
                          ? std::to_string(instr.c)
                          : source(instr.c));
      if (instr.op == Opcode::ListAppend && instr.dies) out += "!";
      break;
    case Layout::AX:
      out += a;
      if (instr.op == Opcode::LoadK || instr.op == Opcode::LoadFresh)
        out += " " + constants[instr.x()].str();
      else if (instr.op == Opcode::CreateObject)
        out += " " + layouts[instr.x()]->name;
      else
        out += siteText(instr.x());
      break;
    case Layout::AJ:
      out += " " + source(instr.a) + target;
      break;
    case Layout::B:
      out += b();
      break;
    case Layout::BC:
      out += b() + " " + source(instr.c);
      break;
    case Layout::J:
      out += target;
      break;
    case Layout::X:
      out += instr.op == Opcode::Fail ? " " + failures[instr.x()].kind : siteText(instr.x());
      break;
    }
    out += "\n";
  }
  for (const Handler& handler : handlers)
    out += "errors of " + std::to_string(handler.begin) + " to " + std::to_string(handler.end) +
           " go to " + std::to_string(handler.target) + " in r" + std::to_string(handler.reg) +
           "\n";
  return out;
}

const FunctionCode* Code::find(llvm::StringRef name) const {
  auto it = index_.find(name);
  return it == index_.end() ? nullptr : it->second;
}

std::string Code::str() const {
  std::string out;
  for (const FunctionCode& function : storage_) out += function.str();
  return out;
}

bool isInstance(const IValue& v, const Type* type) {
  switch (type->kind()) {
  case TypeKind::Any:
    return true;
  case TypeKind::Int:
  case TypeKind::SymInt:
    return v.isInt();
  case TypeKind::Float:
    return v.isDouble();
  case TypeKind::Complex:
    return v.isComplex();
  case TypeKind::Bool:
    return v.isBool();
  case TypeKind::Str:
    return v.isString();
  case TypeKind::Number:
    return v.isInt() || v.isDouble() || v.isComplex();
  case TypeKind::None:
    return v.isNone();
  case TypeKind::Device:
    return v.isDevice();
  case TypeKind::Function:
    return v.isFunction();
  case TypeKind::Tensor:
    return v.isTensor();
  case TypeKind::AnyList:
    return v.isList();
  case TypeKind::AnyTuple:
    return v.isTuple();
  case TypeKind::AnyClass:
  case TypeKind::Interface:
    return v.isObject() && !v.toObject().layout->isEnum;
  case TypeKind::AnyEnum:
    return v.isObject() && v.toObject().layout->isEnum;
  case TypeKind::Class:
  case TypeKind::Enum:
    return v.isObject() && v.toObject().layout->name == type->name();
  case TypeKind::List:
    return v.isList() && allOf(v.toList().items, type->element());
  case TypeKind::Optional:
    return v.isNone() || isInstance(v, type->element());
  case TypeKind::Tuple: {
    if (!v.isTuple() || v.toTuple().items.size() != type->elements().size()) return false;
    for (std::size_t i = 0; i < type->elements().size(); ++i)
      if (!isInstance(v.toTuple().items[i], type->elements()[i])) return false;
    return true;
  }
  case TypeKind::Dict:
    if (!v.isDict()) return false;
    for (const auto& [key, value] : v.toDict().items)
      if (!isInstance(key, type->elements()[0]) || !isInstance(value, type->elements()[1]))
        return false;
    return true;
  case TypeKind::Union:
    return std::any_of(type->elements().begin(), type->elements().end(),
                       [&](const Type* member) { return isInstance(v, member); });
  case TypeKind::Future:
    return v.isFuture();
  case TypeKind::RRef:
    return v.tag() == Tag::RRef;
  case TypeKind::Await:
  case TypeKind::Generator:
  case TypeKind::Stream:
  case TypeKind::Storage:
  case TypeKind::QScheme:
  case TypeKind::Quantizer:
  case TypeKind::Capsule:
  case TypeKind::PyObject:
  case TypeKind::Var:
    return false;
  }
  return false;
}

} // namespace tine
