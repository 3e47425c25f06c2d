#include <tine/ir/graph.h>
#include <tine/tine.h>

#include <iostream>

int main() { std::cout << tine::version() << '\n'; }
