#pragma once

// For tests with GoogleTest. Header-only, and included by no other header of Tine: a program that
// does not include it needs no GoogleMock.

#include "ir/filecheck.h"
#include "ir/print.h"

#include <gmock/gmock.h>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

namespace tine::testing {

/// Matches what prints as FileCheck's directives want it: text, a Graph, or anything that has a
/// `graph()`.
///
///   EXPECT_THAT(traced, Dump("prim::fork", "aten::wait"));            // in this order
///   EXPECT_THAT(graph, Dump(FileCheck().check("prim::fork").checkNot("aten::wait")));
class DumpMatcher {
public:
  explicit DumpMatcher(FileCheck check, std::string description)
      : check_(std::move(check)), description_(std::move(description)) {}

  template <class T>
  bool MatchAndExplain(const T& value, ::testing::MatchResultListener* listener) const {
    auto result = check_.test(textOf(value));
    if (!result) *listener << "\n" << result.error().str();
    return result.ok();
  }
  void DescribeTo(std::ostream* out) const { *out << "has a dump with " << description_; }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "has a dump without " << description_;
  }

private:
  template <class T> static std::string textOf(const T& value) {
    if constexpr (std::is_convertible_v<const T&, std::string>)
      return value;
    else if constexpr (std::is_convertible_v<const T&, llvm::StringRef>)
      return llvm::StringRef(value).str();
    else if constexpr (std::is_base_of_v<Graph, T>)
      return str(static_cast<const Graph&>(value));
    else if constexpr (requires { value.graph(); })
      return textOf(value.graph());
    else
      return textOf(*value);
  }

  FileCheck check_;
  std::string description_;
};

inline auto Dump(FileCheck check) {
  return ::testing::MakePolymorphicMatcher(DumpMatcher(std::move(check), "what FileCheck wants"));
}

template <class... Text>
requires(sizeof...(Text) > 0 &&
         (std::is_convertible_v<Text, std::string> && ...)) auto Dump(Text&&... texts) {
  FileCheck check;
  std::string description;
  auto add = [&](std::string text) {
    description += (description.empty() ? "`" : ", then `") + text + "`";
    check.check(std::move(text));
  };
  (add(std::forward<Text>(texts)), ...);
  return ::testing::MakePolymorphicMatcher(DumpMatcher(std::move(check), std::move(description)));
}

} // namespace tine::testing
