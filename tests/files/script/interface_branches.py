# A variable of an interface's type holds another class after each branch.
# run: main(1)
# run: main(-1)
# run: main(0)
import torch
@torch.jit.interface
class Shape:
    def area(self, k: int) -> int:
        pass
@torch.jit.script
class Square:
    def __init__(self, side: int):
        self.side = side
    def area(self, k: int) -> int:
        return self.side * k
@torch.jit.script
class Circle:
    def __init__(self, radius: int):
        self.radius = radius
    def area(self, k: int) -> int:
        return 3 * self.radius * k
def area_of(s: Shape) -> int:
    return s.area(2)
def main(n: int):
    s: Shape = Square(n)
    if n < 0:
        s = Circle(n)
    else:
        s = Square(n + 1)
    for i in range(n):
        s = Circle(i)
    return area_of(s)
