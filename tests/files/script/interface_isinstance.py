# What an interface holds is known when the program runs.
# run: main(1)
# run: main(-1)
# oracle: python
import torch
@torch.jit.interface
class Shape:
    def area(self, k: int) -> int:
        pass
class Square:
    def __init__(self, side: int):
        self.side = side
    def area(self, k: int) -> int:
        return self.side * k
class Circle:
    def __init__(self, radius: int):
        self.radius = radius
    def area(self, k: int) -> int:
        return 3 * self.radius * k
class Other:
    def __init__(self, n: int):
        self.n = n
def which(s: Shape) -> int:
    if isinstance(s, Square):
        return s.side
    if isinstance(s, (Circle, Other)):
        return 100
    return 0
def main(n: int):
    s: Shape = Square(n)
    if n < 0:
        s = Circle(n)
    return which(s), isinstance(s, Square), isinstance(s, Circle), isinstance(s, Other), s.area(2)
