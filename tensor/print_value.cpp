#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"
#include "tensor/device.h"
#include "tensor/future.h"
#include "tensor/print.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace tine {

namespace {

// ---- numbers and strings as Python writes them
// ----------------------------------------------------

// repr(value); `dot` adds `.0` to whole numbers. \source CPython: shortest digits that read back,
// an exponent below 1e-4 and from 1e16
void appendPythonFloat(std::string& out, double value, bool dot) {
  if (!std::isfinite(value)) {
    out += std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    return;
  }
  char buffer[64];
  char* end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  llvm::StringRef text(buffer, static_cast<std::size_t>(end - buffer));
  if (text.consume_front("-")) out += '-';
  const auto [mantissa, exponentText] = text.split('e');
  int exponent = 0;
  std::from_chars(exponentText.begin() + (exponentText.front() == '+'), exponentText.end(),
                  exponent);
  std::string digits = mantissa.take_front(1).str() + mantissa.drop_front(1).ltrim('.').str();
  const int count = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16) {
    out += digits[0];
    if (count > 1) out += "." + digits.substr(1);
    const int magnitude = std::abs(exponent);
    out += exponent < 0 ? "e-" : "e+";
    if (magnitude < 10) out += '0';
    out += std::to_string(magnitude);
  } else if (exponent < 0) {
    out += "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  } else if (count <= exponent + 1) {
    out += digits + std::string(static_cast<std::size_t>(exponent + 1 - count), '0');
    if (dot) out += ".0";
  } else {
    out += digits.substr(0, static_cast<std::size_t>(exponent) + 1) + "." +
           digits.substr(static_cast<std::size_t>(exponent) + 1);
  }
}

// repr(value). A real part that is +0 does not show.
void appendPythonComplex(std::string& out, std::complex<double> value) {
  const bool bare = value.real() == 0 && !std::signbit(value.real());
  if (!bare) {
    out += '(';
    appendPythonFloat(out, value.real(), false);
    if (std::isnan(value.imag()) || !std::signbit(value.imag())) out += '+';
  }
  appendPythonFloat(out, value.imag(), false);
  out += bare ? "j" : "j)";
}

void appendHex(std::string& out, const char* format, unsigned value) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, format, value);
  out += buffer;
}

void appendPythonString(std::string& out, llvm::StringRef text) {
  const char quote = text.contains('\'') && !text.contains('"') ? '"' : '\'';
  out += quote;
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text.front());
    if (c >= 0x80) {
      auto* at = reinterpret_cast<const llvm::UTF8*>(text.bytes_begin());
      llvm::UTF32 codepoint = 0;
      const auto* next = at;
      if (llvm::convertUTF8Sequence(&next, reinterpret_cast<const llvm::UTF8*>(text.bytes_end()),
                                    &codepoint, llvm::strictConversion) == llvm::conversionOK) {
        const auto length = static_cast<std::size_t>(next - at);
        if (llvm::sys::unicode::isPrintable(static_cast<int>(codepoint)))
          out += text.take_front(length);
        else
          appendHex(out,
                    codepoint < 0x100     ? "\\x%02x"
                    : codepoint < 0x10000 ? "\\u%04x"
                                          : "\\U%08x",
                    codepoint);
        text = text.drop_front(length);
        continue;
      }
    }
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\\' || c == static_cast<unsigned char>(quote))
      (out += '\\') += static_cast<char>(c);
    else if (c < 0x20 || c >= 0x7f)
      appendHex(out, "\\x%02x", c);
    else
      out += static_cast<char>(c);
    text = text.drop_front();
  }
  out += quote;
}

// ---- numbers as a running TorchScript program writes them
// -----------------------------------------

void appendStreamFloat(std::string& out, double value) {
  if (value >= -9223372036854775808.0 && value < 9223372036854775808.0 &&
      std::trunc(value) == value) {
    out += std::to_string(static_cast<std::int64_t>(value)) + ".";
    return;
  }
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  out += buffer;
}

void appendStreamComplex(std::string& out, std::complex<double> value) {
  appendStreamFloat(out, value.real());
  if (!(value.imag() < 0)) out += '+';
  appendStreamFloat(out, value.imag());
  out += 'j';
}

// ---- nested values, by a stack of our own
// ---------------------------------------------------------

enum class Form : std::uint8_t { Python, Stream };

void appendLeaf(std::string& out, const IValue& value, Form form) {
  const bool python = form == Form::Python;
  switch (value.tag()) {
  case Tag::None:
    out += "None";
    return;
  case Tag::Bool:
    out += value.toBool() ? "True" : "False";
    return;
  case Tag::Int:
    out += std::to_string(value.toInt());
    return;
  case Tag::Double:
    python ? appendPythonFloat(out, value.toDouble(), true)
           : appendStreamFloat(out, value.toDouble());
    return;
  case Tag::Complex:
    python ? appendPythonComplex(out, value.toComplex())
           : appendStreamComplex(out, value.toComplex());
    return;
  case Tag::String:
    if (python)
      appendPythonString(out, value.toStringRef());
    else
      out += value.toStringRef();
    return;
  case Tag::Tensor:
    out += python ? value.asTensor().str() : streamStr(value.asTensor());
    return;
  case Tag::Device: {
    const Device device = Device::fromCode(value.toDevice());
    if (!python) {
      out += device.str();
      return;
    }
    out += "device(type='" + device.kindName().str() + "'";
    if (device.index >= 0) out += ", index=" + std::to_string(device.index);
    out += ')';
    return;
  }
  case Tag::Object: {
    const auto& layout = value.toObject().layout;
    if (layout && layout->isEnum) { // `Color.RED`
      const llvm::StringRef qualified = layout->name;
      out += qualified.drop_front(qualified.rfind('.') + 1).str() + "." +
             value.toObject().slots[0].toStringRef().str();
      return;
    }
    out += "<" + (layout ? layout->name : std::string()) + " object>";
    return;
  }
  case Tag::Future: {
    const Ref<FutureState> future = value.toFuture();
    out += future->failed() ? "<Future failed>" : future->done() ? "<Future done>" : "<Future>";
    return;
  }
  case Tag::RRef:
  case Tag::Function:
  case Tag::Uninitialized:
    out += "<" + name(value.tag()).str() + ">";
    return;
  case Tag::List:
  case Tag::Tuple:
  case Tag::Dict:
    break;
  }
  TINE_UNREACHABLE("not a leaf");
}

// A container of which some items are printed.
struct Open {
  const IValue* value;
  const void* identity;
  std::size_t next = 0;
};

void append(std::string& out, const IValue& root, Form form) {
  llvm::SmallVector<Open, 8> stack;
  llvm::DenseSet<const void*> open; // to end at a container inside itself
  const auto identityOf = [](const IValue& v) -> const void* {
    if (v.isList()) return &v.toList();
    if (v.isTuple()) return &v.toTuple();
    return v.isDict() ? &v.toDict() : nullptr;
  };
  const auto enter = [&](const IValue& v) {
    const void* identity = identityOf(v);
    if (!identity) return appendLeaf(out, v, form);
    const char* brackets = v.isList() ? "[]" : v.isTuple() ? "()" : "{}";
    out += brackets[0];
    if (open.insert(identity).second) {
      stack.push_back({&v, identity});
    } else {
      out += "...";
      out += brackets[1];
    }
  };
  enter(root);
  while (!stack.empty()) {
    Open& top = stack.back();
    const IValue& v = *top.value;
    const std::size_t i = top.next++;
    const std::size_t count = v.isList()    ? v.toList().items.size()
                              : v.isTuple() ? v.toTuple().items.size()
                                            : 2 * v.toDict().items.size();
    if (i == count) {
      const bool named = form == Form::Python && v.isTuple() && v.toTuple().names;
      if (v.isTuple() && count == 1 && !named) out += ',';
      out += v.isList() ? ']' : v.isTuple() ? ')' : '}';
      open.erase(top.identity);
      stack.pop_back();
      continue;
    }
    if (v.isDict()) {
      const auto& item = v.toDict().items[i / 2];
      if (i) out += i % 2 ? ": " : ", ";
      enter(i % 2 ? item.second : item.first);
      continue;
    }
    if (i) out += ", ";
    if (v.isTuple() && form == Form::Python && v.toTuple().names)
      out += (*v.toTuple().names)[i] + "=";
    enter(v.isList() ? v.toList().items[i] : v.toTuple().items[i]);
  }
}

} // namespace

std::string IValue::str() const {
  std::string out;
  append(out, *this, Form::Python);
  return out;
}

void appendStream(std::string& out, const IValue& value) { append(out, value, Form::Stream); }

} // namespace tine
