# ERROR: 3:13-18: Future needs the type of its result: Future[int]
from torch.futures import Future
def main(f: Future):
    return 1
