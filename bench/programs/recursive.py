# TorchScript compiles no recursion.  An object that holds itself behind an interface has it, and in
# the source as archives hold it, both can be written without Python.
class Tasks(Interface):
  def tree(self, n: int) -> int:
    pass
  def skynet(self, first: int, size: int) -> int:
    pass
  def nest(self, n: int) -> int:
    pass

class Recursive:
  self : __torch__.Tasks
  def tree(self, n: int) -> int:
    tasks = self.self
    if n < 2:
      result = n
    else:
      future = fork((tasks).tree, torch.sub(n, 1))
      called = (tasks).tree(torch.sub(n, 2))
      result = torch.add(torch.wait(future), called)
    return result

  def skynet(self, first: int, size: int) -> int:
    tasks = self.self
    if size == 1:
      result = first
    else:
      part = size // 10
      futures = annotate(List[Future[int]], [])
      for i in range(10):
        future = fork((tasks).skynet, torch.add(first, torch.mul(i, part)), part)
        _0 = torch.append(futures, future)
      result = 0
      for i in range(10):
        result = torch.add(result, torch.wait(futures[i]))
    return result

  def nest(self, n: int) -> int:
    tasks = self.self
    if n == 0:
      result = 0
    else:
      future = fork((tasks).nest, torch.sub(n, 1))
      result = torch.add(torch.wait(future), 1)
    return result
