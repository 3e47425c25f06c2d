# run: main(tensor([1.0, 2.0]))
def main(x: Tensor):
    d = {"x": x, "y": x * 2}
    d["x"] = d["x"] + d["y"]
    total = torch.zeros(2)
    for k in d:
        total += d[k]
    return total
