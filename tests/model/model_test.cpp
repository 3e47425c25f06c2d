// Runs every scenario, and again with each order of orders.def weakened: then one must fail.

#include "tests/model/cases.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace tine::model {
namespace {

enum class Use { Load, Store, Change, Fence, Heavy };

/// An order of the table, made weaker.
struct Weakening {
  const char *protocol, *name;
  std::memory_order* site;
  std::memory_order to;
};

const char* nameOf(std::memory_order order) {
  static constexpr const char* kNames[] = {"relaxed", "consume", "acquire",
                                           "release", "acq_rel", "seq_cst"};
  return kNames[static_cast<int>(order)];
}

/// The next weaker orders. Of a fence also none.
std::vector<std::memory_order> weakerThan(std::memory_order order, Use use) {
  using std::memory_order;
  switch (order) {
  case memory_order::seq_cst:
    if (use == Use::Load) return {memory_order::acquire};
    if (use == Use::Store) return {memory_order::release};
    if (use == Use::Change) return {memory_order::acq_rel};
    if (use == Use::Fence) return {memory_order::acq_rel, memory_order::relaxed};
    return {memory_order::relaxed};
  case memory_order::acq_rel:
    return {memory_order::acquire, memory_order::release};
  case memory_order::acquire:
  case memory_order::release:
    return {memory_order::relaxed};
  case memory_order::relaxed:
  case memory_order::consume:
    break;
  }
  return {};
}

std::vector<Weakening> weakenings() {
  std::vector<Weakening> all;
  const auto add = [&](const char* protocol, Use use, const char* name, std::memory_order* site) {
    for (const std::memory_order to : weakerThan(*site, use))
      all.push_back({protocol, name, site, to});
  };
#define TINE_ORDER(protocol, use, name, order, why)                                                \
  add(#protocol, Use::use, #name, &ModelOrders::name);
#include "tests/model/all_orders.def"
#undef TINE_ORDER
  return all;
}

std::vector<Case> allCases() {
  std::vector<Case> all;
  for (auto* cases : {dequeCases, futureCases, refCases, lockCases, sleepCases, endCases})
    for (Case& c : cases()) all.push_back(std::move(c));
  return all;
}

/// TINE_MODEL_FACTOR=20 looks into so many times as many interleavings.
unsigned times(unsigned interleavings) {
  const char* factor = std::getenv("TINE_MODEL_FACTOR");
  return factor ? interleavings * static_cast<unsigned>(std::atoi(factor)) : interleavings;
}

class Scenarios : public testing::TestWithParam<Case> {};
TEST_P(Scenarios, HoldInEveryInterleaving) { EXPECT_EQ(GetParam().run(times(50'000)), ""); }
INSTANTIATE_TEST_SUITE_P(Model, Scenarios, testing::ValuesIn(allCases()), [](const auto& test) {
  return std::string(test.param.protocol) + test.param.name;
});

class Orders : public testing::TestWithParam<Weakening> {};
TEST_P(Orders, AreNeeded) {
  const Weakening& weak = GetParam();
  const std::memory_order strong = *weak.site;
  *weak.site = weak.to;
  std::string found;
  for (const unsigned interleavings : {100u, 2'000u, 100'000u})
    for (const Case& c : allCases())
      if (found.empty() && std::string(c.protocol) == weak.protocol &&
          !c.run(times(interleavings)).empty())
        found = c.name;
  *weak.site = strong;
  EXPECT_NE(found, "") << weak.name << " may as well be " << nameOf(weak.to)
                       << ", or a scenario is missing";
  RecordProperty("found_by", found);
}
INSTANTIATE_TEST_SUITE_P(Model, Orders, testing::ValuesIn(weakenings()), [](const auto& test) {
  return std::string(test.param.protocol) + "_" + test.param.name + "_" + nameOf(test.param.to);
});

/// docs/protocols.md shows the table as it is.
TEST(Docs, ShowEveryOrder) {
  std::ifstream file(TINE_SOURCE_DIR "/docs/protocols.md");
  std::stringstream page;
  page << file.rdbuf();
  std::string missing;
#define TINE_ORDER(protocol, use, name, order, why)                                                \
  if (const char* row = "| " #protocol " | `" #name "` | " #use " | " #order " | " why " |\n";     \
      page.str().find(row) == std::string::npos)                                                   \
    missing += row;
#include "tests/model/all_orders.def"
#undef TINE_ORDER
  EXPECT_EQ(missing, "");
}

} // namespace
} // namespace tine::model
