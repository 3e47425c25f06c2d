#include "interpreter/core.h"
namespace tine {
std::unique_ptr<SchedulerCore> makeFiberScheduler(Scheduler&, Scheduler::Config) {
  raise(error_kind::Unsupported, "workers");
}
} // namespace tine
