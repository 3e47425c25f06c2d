// Any bytes as a file with checks and, after the first nul, a text: it passes, or an error says
// why.
#include "ir/filecheck.h"

using namespace tine;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto [checks, text] = llvm::StringRef(reinterpret_cast<const char*>(data), size).split('\0');
  const auto check = FileCheck::fromComments(checks, "f");
  if (!check) {
    for (const Error& error : check.errors()) TINE_CHECK(error.place.known());
    return 0;
  }
  if (const auto result = check->test(text); !result)
    TINE_CHECK(result.error().place.known() && !result.error().str().empty());
  return 0;
}
