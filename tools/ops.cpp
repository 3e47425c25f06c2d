#include "ops/ops.h"

#include "tools/command.h"

#include <memory>

namespace tine::tools {
namespace {

std::string describe(const Effects& effects) {
  std::string out;
  auto add = [&](bool has, const char* word) {
    if (has) out += (out.empty() ? "" : ", ") + std::string(word);
  };
  add(effects.reads, "reads memory");
  add(effects.writes, "writes memory");
  add(effects.external, "acts outside");
  add(effects.raises, "may raise");
  add(effects.nondeterministic, "is not deterministic");
  add(effects.suspends, "may let others run");
  return out.empty() ? "pure" : out;
}

ExitCode list(const std::string& name) {
  auto ops = OpSet::sharedBuiltin();
  std::string text;
  if (name.empty()) {
    for (const OpInfo* op : ops->all()) text += op->schema.str() + "\n";
    return write(text);
  }
  // `aten::add`, one overload of it (`aten::add.Tensor`), or the bare `add`.
  auto [base, overload] = llvm::StringRef(name).split('.');
  std::vector<std::string> names;
  std::string overloads;
  for (const OpInfo* op : ops->all()) {
    llvm::StringRef full = op->schema.name;
    names.push_back(full.str());
    bool matches = base.contains("::") ? full == base : full.split("::").second == base;
    if (!matches) continue;
    if (!overload.empty() && op->schema.overload != overload) {
      overloads += overloads.empty() ? "" : ", ";
      overloads +=
          op->schema.overload.empty() ? "one without a name" : "`" + op->schema.overload + "`";
      continue;
    }
    text += op->schema.str() + "\n";
    if (!op->doc.empty()) text += "    " + op->doc + "\n";
    text += "    " + describe(op->effects) + (op->kernel ? "\n" : "; has no kernel\n");
  }
  if (!text.empty()) return write(text);
  if (!overloads.empty())
    return report(Error(error_kind::Schema, "`" + base.str() + "` has no overload `" +
                                                overload.str() + "`; it has " + overloads));
  return report(Error(error_kind::Schema,
                      "there is no operator `" + name + "`" + nearest(base.str(), names)));
}

} // namespace

void addOps(CLI::App& app, Run& run) {
  auto name = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("ops", "list the operators, or say what one does");
  sub->add_option("NAME", *name, "aten::add, aten::add.Tensor, add");
  sub->callback([=, &run] { run = [=] { return list(*name); }; });
}

} // namespace tine::tools
