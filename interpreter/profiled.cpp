// The interpreter once more, for workers that record what they do.
#define TINE_PROFILED 1
#include "interpreter/interpreter.cpp"
