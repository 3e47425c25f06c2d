#pragma once

// Relacy, without its macros: it names common words.  Whatever else is included comes first.

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <relacy/relacy.hpp>
#include <source_location>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#undef $
#undef assert
#undef calloc
#undef delete
#undef errno
#undef free
#undef malloc
#undef memory_order_acq_rel
#undef memory_order_acquire
#undef memory_order_consume
#undef memory_order_relaxed
#undef memory_order_release
#undef memory_order_seq_cst
#undef new
#undef realloc
