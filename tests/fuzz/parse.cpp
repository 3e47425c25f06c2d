// Any bytes as graph text: errors with places, or a unit that each print style writes down and
// parse reads back.
#include "ir/parse.h"

#include "ir/equal.h"
#include "ir/print.h"

using namespace tine;

namespace {

/// The unit that `unit` prints as in this style, which prints as the same bytes.
CompilationUnit reread(const CompilationUnit& unit, const PrintOptions& options) {
  const std::string text = str(unit, options);
  Result<CompilationUnit> again = parse(text, "again");
  TINE_CHECK_MSG(again.ok(), (text + again.error().str()).c_str());
  TINE_CHECK_MSG(str(*again, options) == text, text.c_str());
  return *std::move(again);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const llvm::StringRef text(reinterpret_cast<const char*>(data), size);
  const Result<CompilationUnit> unit = parse(text, "text");
  if (!unit) {
    for (const Error& error : unit.errors())
      TINE_CHECK(!error.message.empty() && error.place.known());
    return 0;
  }
  std::string why;
  TINE_CHECK_MSG(equal(*unit, reread(*unit, {Style::Lossless}), &why), why.c_str());
  reread(*unit, {Style::Lossless, false});
  reread(*unit, {Style::Compat});
  return 0;
}
