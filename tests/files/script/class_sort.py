# DIFFERS: an operator cannot call a method, and so what sorts is a function of the program.
# run: main(1)
# run: main(5)
class Item:
    def __init__(self, key: int, name: str):
        self.key = key
        self.name = name

    def __lt__(self, other: 'Item') -> bool:
        return self.key < other.key

def main(n: int):
    items = [Item(3, "c"), Item(n, "n"), Item(2, "b"), Item(4, "d")]
    by = sorted(items)
    items.sort(reverse=True)
    return [i.name for i in by], [i.key for i in items]
