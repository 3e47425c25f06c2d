#pragma once

#include "ir/equal.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "tests/fixture.h"

/// What the tests of graph text share.
namespace tine::testing {

inline constexpr PrintOptions kLossless{Style::Lossless, true};

/// Reads without verifying: what the tests of text need, whatever the graph means.
inline Result<CompilationUnit> read(llvm::StringRef text, bool verified = false) {
  ParseOptions options;
  options.verify = verified;
  return parse(text, "t.ir", options);
}

/// The text of all errors, for messages.
template <class T> std::string errorsOf(const Result<T>& result) {
  std::string out;
  if (!result)
    for (const Error& error : result.errors()) out += error.str();
  return out;
}

/// `line:column: message`, notes after it, of each error.
template <class T> std::string placesOf(const Result<T>& result) {
  std::string out;
  if (result) return "no error";
  for (const Error& error : result.errors()) {
    out += std::to_string(error.place.line) + ":" + std::to_string(error.place.column) + ": " +
           error.message + "\n";
    for (const Error::Note& note : error.notes)
      out += "  " + std::to_string(note.place.line) + ":" + std::to_string(note.place.column) +
             ": " + note.message + "\n";
  }
  return out;
}

/// Compat text that prints back as it is, and through the lossless style too.
inline void expectRoundTrip(llvm::StringRef text) {
  Result<CompilationUnit> unit = read(text);
  ASSERT_TRUE(unit) << errorsOf(unit);
  EXPECT_EQ(str(*unit), text.str());
  std::string lossless = str(*unit, kLossless);
  Result<CompilationUnit> again = read(lossless);
  ASSERT_TRUE(again) << errorsOf(again) << lossless;
  std::string why;
  EXPECT_TRUE(equal(*unit, *again, &why)) << why << "\n" << lossless;
  EXPECT_EQ(str(*again, kLossless), lossless);
  EXPECT_EQ(str(*again), text.str());
}

/// The dumps of TorchScript: those in the tree, and the shared ones where there are any.
inline std::vector<std::filesystem::path> committedDumps() {
  return filesUnder(testFiles() / "torchscript", ".ir");
}
inline std::vector<std::filesystem::path> sharedDumps() {
  return sharedData().empty() ? std::vector<std::filesystem::path>()
                              : filesUnder(sharedData() / "ir", ".ir");
}

} // namespace tine::testing
