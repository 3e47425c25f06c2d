#include "support/error.h"

#include "support/printable.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <new>
#include <stdexcept>
#include <typeinfo>

namespace tine {
namespace {

constexpr std::size_t kMaxNotes = 20; // that are shown

void appendIndented(std::string& out, const std::string& excerpt, const char* indent) {
  std::size_t start = 0;
  for (std::size_t end; (end = excerpt.find('\n', start)) != std::string::npos; start = end + 1) {
    out += indent;
    out.append(excerpt, start, end + 1 - start);
  }
}

std::string demangle(const char* name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string out = status == 0 && text ? text : name;
  std::free(text);
  return out;
}

} // namespace

bool TraceEntry::operator==(const TraceEntry& o) const {
  return edge == o.edge && function == o.function && place.file == o.place.file &&
         place.line == o.place.line && place.column == o.place.column;
}

Error::Error(std::string k, std::string m, Place p)
    : kind(std::move(k)), message(std::move(m)), place(std::move(p)) {}

Error Error::note(std::string text, Place where) && {
  notes.push_back({std::move(text), std::move(where)});
  return std::move(*this);
}

std::string Error::str() const {
  std::string out;
  auto line = [&](const Place& where, const char* label, const std::string& text) {
    if (where.known()) {
      appendPrintable(out, where.str());
      out += ": ";
    }
    out += label;
    appendPrintable(out, text);
    out += "\n" + where.excerpt();
  };
  line(place, "error: ", message.empty() ? kind : message);
  for (std::size_t i = 0; i < notes.size() && i < kMaxNotes; ++i)
    line(notes[i].place, "note: ", notes[i].message);
  if (notes.size() > kMaxNotes)
    line({}, "note: ", "and " + std::to_string(notes.size() - kMaxNotes) + " more");
  if (!traceback.empty()) out += "traceback (outermost first):\n";
  for (const TraceEntry& entry : traceback) {
    out += "  in ";
    appendPrintable(out, entry.function);
    if (entry.edge == TraceEntry::Edge::Fork) out += ", started by a fork";
    if (entry.place.known()) {
      out += ", at ";
      appendPrintable(out, entry.place.str());
    }
    out += "\n";
    appendIndented(out, entry.place.excerpt(), "    ");
  }
  return out;
}

RuntimeError::RuntimeError(Error error) : error_(std::make_shared<const Error>(std::move(error))) {}

namespace {
template <class E> bool isA(const std::exception& error) {
  return dynamic_cast<const E*>(&error) != nullptr;
}
/// The kinds of C++'s exceptions, as Python's bindings of C++ have them; of all others
/// RuntimeError.
struct Foreign {
  bool (*is)(const std::exception&);
  const char* kind;
  const char* before; ///< the message; with `whole` instead of it
  bool whole = false;
};
constexpr Foreign kForeign[] = {
    {isA<std::bad_alloc>, error_kind::Memory, "no memory is left for what the program makes", true},
    {isA<std::length_error>, error_kind::Memory, "a container of too many elements: "},
    {isA<std::out_of_range>, error_kind::Index, ""},
    {isA<std::invalid_argument>, error_kind::Value, ""},
    {isA<std::domain_error>, error_kind::Value, ""},
    {isA<std::range_error>, error_kind::Value, ""},
    {isA<std::overflow_error>, error_kind::Overflow, ""},
    {[](const std::exception&) { return true; }, error_kind::Runtime, ""},
};

std::shared_ptr<const Error> foreign(const char* kind, std::string message, const char* type) {
  return std::make_shared<const Error>(
      Error(kind, std::move(message)).note("C++ has thrown it: " + demangle(type)));
}

std::shared_ptr<const Error> describeCurrent() {
  try {
    throw;
  } catch (const RuntimeError& error) {
    return error.shared();
  } catch (const std::exception& error) {
    const Foreign& row = *std::find_if(std::begin(kForeign), std::end(kForeign),
                                       [&](const Foreign& known) { return known.is(error); });
    if (row.whole) return std::make_shared<const Error>(row.kind, row.before);
    const char* what = error.what();
    return foreign(row.kind,
                   std::string(row.before) + (what ? what : "an exception without a message"),
                   typeid(error).name());
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return foreign(error_kind::Runtime, "an exception without a message",
                   type ? type->name() : "of an unknown type");
  }
}
} // namespace

std::shared_ptr<const Error> currentError() {
  try {
    return describeCurrent();
  } catch (const std::bad_alloc&) {
    // Words this short need no memory.
    static const Error kNone(error_kind::Memory, "no memory left");
    return {std::shared_ptr<const Error>(), &kNone};
  }
}

void raise(const char* kind, std::string message) { throw RuntimeError(kind, std::move(message)); }

void detail::checkFailed(const char* expression, const char* file, int line, const char* message) {
  std::fprintf(stderr, "%s:%d: broken invariant: %s%s%s\n", file, line, expression,
               *message ? ": " : "", message);
  std::fflush(stderr);
  std::abort();
}

} // namespace tine
