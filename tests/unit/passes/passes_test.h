#pragma once

#include "ir/parse.h"
#include "ir/print.h"
#include "passes/pass.h"
#include "tests/fixture.h"

namespace tine::testing {

/// Keeps the operators, which are otherwise made anew for each program.
inline const std::shared_ptr<const OpSet> keptOps = OpSet::sharedBuiltin();

/// The unit with this text. A text that does not parse fails the test.
inline CompilationUnit readUnit(llvm::StringRef text) {
  auto unit = parse(text, "test.ir");
  if (unit) return std::move(*unit);
  ADD_FAILURE() << unit.error().str();
  return CompilationUnit();
}

/// The text after the passes, without locations, with values numbered in the order of printing.
inline std::string afterPasses(llvm::StringRef passes, llvm::StringRef text) {
  CompilationUnit unit = readUnit(text);
  if (unit.empty()) return "";
  auto ran = runPasses(unit, *OpSet::sharedBuiltin(), passes.str() + ",canonicalize");
  if (!ran) return ran.error().str();
  return str(unit, {.locations = false});
}

#define EXPECT_PASS(passes, before, after)                                                         \
  EXPECT_EQ(::tine::testing::afterPasses(passes, before),                                          \
            ::tine::testing::afterPasses("none", after))
/// The passes leave the text as it is.
#define EXPECT_UNCHANGED(passes, text) EXPECT_PASS(passes, text, text)

} // namespace tine::testing
