# ... which TorchScript does not fork.
# run: main(5)
# oracle: python
import torch
class Times:
    def __init__(self, n: int):
        self.n = n
    def __call__(self, q: int) -> int:
        return q * self.n
def main(n: int):
    future = torch.jit.fork(Times(n), 3)
    return torch.jit.wait(future)
