// From nothing to the end of a process: `tine version`; a process that uses libtorch to compile a
// small function and call it; and, as the floor, `true`.
#include "bench/bench.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace tine::bench {
namespace {

/// Runs a program and gives what it wrote; fails when it does.
std::string outputOf(std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) throw std::runtime_error("cannot make a pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t child;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output;
  char buffer[256];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    output.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  if (!failed) waitpid(child, &status, 0);
  if (failed || status) throw std::runtime_error("cannot run " + command[0]);
  return output;
}

void add(const std::string& name, const std::vector<std::string>& command,
         const std::string& output) {
  row(name, 1, 1, [=]() -> Batch { return [=] { return outputOf(command).find(output) == 0; }; });
}

} // namespace
} // namespace tine::bench

int main(int argc, char** argv) {
  using namespace tine::bench;
  if (argc == 2 && std::string(argv[1]) == "--torchscript")
    return torchScriptOnce(
               {.file = "dispatch", .function = "inc", .arguments = {std::int64_t(41)}}) != 42;
#ifdef TINE_COMMAND
  add("Start/Version/tine", {TINE_COMMAND, "version"}, "tine");
#endif
#ifdef TINE_HAVE_LIBTORCH
  add("Start/Version/torchscript", {argv[0], "--torchscript"}, "");
#endif
  add("Start/Version/true", {"true"}, "");
  return run(argc, argv);
}
