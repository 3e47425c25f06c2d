# run: main(tensor([[1.5, 2.0], [0.25, -1.0]]))
# run: main(zeros(0, 4))
# run: main(zeros(2))
# run: flags(tensor([1, 2, 3]))
# run: number(tensor([1.5, 2.0]))
def main(x: Tensor) -> List[List[float]]:
    return x.tolist()

def flags(x: Tensor):
    bits: List[bool] = (x > 1).tolist()
    all = torch.jit.annotate(List[List[List[int]]], x.reshape(3, 1, 1).tolist())
    return bits, all

def number(x: Tensor):
    sum: float = x.sum().tolist()
    count: int = torch.tensor(x.size(0)).tolist()
    return sum + count
