#pragma once

// Everything that a program using Tine includes:
//
//   #include <tine/tine.h>
//   using namespace tine;
//
//   Tensor foo(Tensor a, int64_t b) { return a + b; }
//   Tensor bar(Tensor a) {
//     static const auto f = fn("foo", foo, {"a", "b"});
//     return wait(fork(f, a, arg("b", 2)));     // C++: runs at once; traced: prim::fork,
//     aten::wait
//   }
//
//   Function traced = trace(fn("bar", bar, {"a"}), {tensor(2)});
//   std::cout << traced.graph();
//   Scheduler scheduler({.workers = 4});
//   Tensor four = traced.runAsync(scheduler, {tensor(2)}).wait().toTensor();

#include "api/function.h"             // Program, Function, Future, fork, wait
#include "api/script_module.h"        // ScriptModule: methods from source
#include "api/trace.h"                // trace, cond, loop
#include "frontend/trace/literal.h"   // tensor(2), tensor({1., 2.})
#include "frontend/trace/module.h"    // Module
#include "frontend/trace/operators.h" // x * 2 + neg(y)
#include "interpreter/profile.h"      // Profile
#include "interpreter/promise.h"      // Promise
#include "interpreter/scheduler.h"    // Scheduler
#include "ir/equal.h"                 // equal
#include "ir/filecheck.h"             // FileCheck
#include "ir/parse.h"                 // parse
#include "ir/print.h"                 // print, str, <<
#include "passes/pass.h"              // runPasses

#include <iostream> // std::cout << graph

namespace tine {

/// `0.1.0`
const char* version();

} // namespace tine
