#include "interpreter/scheduler.h"

#include "interpreter/core.h"
#include "interpreter/native_wait.h"
#include "tensor/delivery.h"

namespace tine {

Scheduler::Scheduler() : Scheduler(Config()) {}

Scheduler::Scheduler(Config config)
    : core_(config.workers == 0 || config.schedule ? makeInlineScheduler(*this, std::move(config))
                                                   : makeFiberScheduler(*this, std::move(config))) {
}

Scheduler::Scheduler(Config config, LightLock& drives)
    : core_(makeInlineScheduler(*this, std::move(config), &drives)) {}

Scheduler::~Scheduler() {
  // What threads of another process had when it forked, locks too, stays where it is.
  if (core_->isInherited()) static_cast<void>(core_.release());
}

Ref<FutureState> Scheduler::run(std::shared_ptr<const Code> code, const FunctionCode& function,
                                std::vector<IValue> arguments, const TaskContext* context) {
  return core_->run(std::move(code), function, std::move(arguments), context);
}

Ref<FutureState> Scheduler::run(std::shared_ptr<const Code> code, llvm::StringRef function,
                                std::vector<IValue> arguments, const TaskContext* context) {
  const FunctionCode* found = code->find(function);
  if (!found) raise(error_kind::Attribute, "there is no function " + function.str());
  return core_->run(std::move(code), *found, std::move(arguments), context);
}

IValue Scheduler::call(const std::shared_ptr<const Code>& code, const FunctionCode& function,
                       llvm::ArrayRef<IValue> arguments, std::shared_ptr<const Error>& error) {
  TINE_CHECK_MSG(function.code == code.get() && arguments.size() == function.numInputs,
                 "the function is of another Code, or takes another number of arguments");
  return core_->call(code, function, arguments, error);
}

IValue Scheduler::call(const std::shared_ptr<const Code>& code, const FunctionCode& function,
                       llvm::ArrayRef<IValue> arguments) {
  std::shared_ptr<const Error> error;
  IValue result = call(code, function, arguments, error);
  if (error) throw RuntimeError(std::move(error));
  return result;
}

void Scheduler::waitDone(FutureState& future) {
  if (!future.done()) Delivery::flush();
  if (future.done()) return;
  SchedulerCore::mustBeHere(core_.get(), future);
  core_->waitDone(future);
}

IValue Scheduler::wait(FutureState& future) {
  waitDone(future);
  return result(future);
}

bool Scheduler::isSpotless() const { return core_->isSpotless(); }
int Scheduler::workers() const { return core_->config.workers; }
Scheduler::Stats Scheduler::stats() const { return core_->stats(); }
std::string Scheduler::dump() { return core_->dump(); }
std::string Scheduler::dumpAll() { return SchedulerCore::dumpAll(); }

Scheduler* Scheduler::current() { return currentWorker ? &currentWorker->core.scheduler : nullptr; }

TaskContext currentContext() { return currentWorker ? currentWorker->context() : TaskContext(); }

IValue waitNative(FutureState& future) {
  if (!future.done()) Delivery::flush();
  if (!future.done()) {
    SchedulerCore::mustBeHere(nullptr, future);
    SchedulerCore* core = currentWorker ? &currentWorker->core : nullptr;
    if (!core)
      if (Pool* pool = Pool::of(future)) core = pool->core();
    if (core)
      core->waitDone(future);
    else
      blockThread(future);
  }
  return result(future);
}

} // namespace tine
