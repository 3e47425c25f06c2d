# `del x[k]` of an object.
# run: main(4)
class Box:
    def __init__(self, x: int):
        self.x = x
    def __delitem__(self, k: int):
        self.x = -k
def main(n: int):
    box = Box(1)
    del box[n]
    return box.x
