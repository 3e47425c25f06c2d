#include "tools/command.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <new>
#include <sstream>
#include <unistd.h>

namespace tine::tools {
namespace {

const CLI::Option* optionOf(const CLI::App& sub, llvm::StringRef argument) {
  return sub.get_option_no_throw(argument.split('=').first.str());
}

bool takesValue(const CLI::App& sub, llvm::StringRef argument) {
  const CLI::Option* option = optionOf(sub, argument);
  return option && !argument.contains('=') && option->get_items_expected_min() > 0;
}

/// The first option that is written `--name=` with nothing after it, which CLI11 would give the
/// next argument; empty when there is none.
std::string emptyOption(const CLI::App& sub, llvm::ArrayRef<std::string> arguments) {
  for (llvm::StringRef argument : arguments) {
    if (argument == "--") break;
    if (argument.starts_with("--") && argument.ends_with("=") && optionOf(sub, argument))
      return argument.str();
  }
  return "";
}

/// Marks what follows FILE and is no option of ours, so that `-1` and `[2]` arrive as they are.
void markArguments(const CLI::App& sub, std::vector<std::string>& arguments) {
  bool file = false, plain = false;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    llvm::StringRef argument = arguments[i];
    if (argument == "--" && !plain) {
      plain = true;
      continue;
    }
    if (!plain && argument.starts_with("--")) {
      if (takesValue(sub, argument)) ++i;
    } else if (!file && (argument == "-" || plain || !argument.starts_with("-"))) {
      file = true;
    } else if (file) {
      arguments[i].insert(arguments[i].begin(), kArgumentMark);
    }
  }
}

/// What is wrong with the command line beyond what CLI11 says, when it is an unknown option.
std::string unknownOption(const CLI::App& sub, llvm::ArrayRef<std::string> arguments) {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    llvm::StringRef argument = arguments[i];
    if (argument == "--") break;
    if (!argument.starts_with("-") || argument.size() < 2 || optionOf(sub, argument)) continue;
    std::string name = argument.split('=').first.str();
    std::vector<std::string> known;
    for (const CLI::Option* option : sub.get_options())
      for (const std::string& longName : option->get_lnames()) known.push_back("--" + longName);
    return "there is no option `" + name + "`" + nearest(name, known);
  }
  return "";
}

ExitCode runCommand(std::vector<std::string> arguments) {
  CLI::App app("Graphs with fork and wait: printed, checked and run", "tine");
  app.require_subcommand(1);
  app.footer("FILE is graph text (.ir) or `-` for stdin; `tine COMMAND --help` says more.\n"
             "Exit codes: 0 fine, 1 the program or input is wrong, 2 usage, 3 a bug of tine.");
  Run run;
  addPrint(app, run);
  addRun(app, run);
  addCheck(app, run);
  addCompile(app, run);
  addPasses(app, run);
  addOps(app, run);
  addVersion(app, run);

  if (arguments == std::vector<std::string>{"--version"}) arguments[0] = "version";
  CLI::App* sub = nullptr;
  if (!arguments.empty() && !llvm::StringRef(arguments[0]).starts_with("-")) {
    std::vector<std::string> commands;
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
      commands.push_back(command->get_name());
      if (commands.back() == arguments[0]) sub = command;
    }
    if (!sub) {
      return usage("there is no command `" + arguments[0] + "`" + nearest(arguments[0], commands));
    }
    if (std::string option = emptyOption(*sub, arguments); !option.empty())
      return usage("`" + option + "` has no value");
    if (sub->get_name() == "run") markArguments(*sub, arguments);
  }
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) { // --help
      std::ostringstream out, err;
      app.exit(error, out, err);
      return write(out.str());
    }
    std::string message = sub ? unknownOption(*sub, arguments) : "";
    if (message.empty()) message = error.what();
    if (!sub)
      message = "which command? `print`, `run`, `check`, `compile`, `ops`, `passes` or `version`";
    for (char& c : message)
      if (c == kArgumentMark) c = ' ';
    return usage(message);
  }
  return run();
}

extern "C" void aborted(int) { _exit(kBug); }

/// A closed stdin, stdout or stderr must not become the number of a file that is opened later.
void reserveStandardFiles() {
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", O_RDONLY) == -1) _exit(kBug);
}

} // namespace
} // namespace tine::tools

int main(int argc, char** argv) {
  using namespace tine::tools;
  reserveStandardFiles();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGABRT, aborted); // TINE_CHECK has said what is wrong
  try {
    return runCommand({argv + std::min(argc, 1), argv + argc});
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
    return kWrong;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "internal error: %s\n", error.what());
    return kBug;
  }
}
