#include <iostream>
#include <tine/ir/graph.h>
#include <tine/tine.h>

int main() { std::cout << tine::version() << '\n'; }
