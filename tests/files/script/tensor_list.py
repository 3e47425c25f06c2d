# run: main([tensor([1.0]), tensor([2.0])])
def main(xs: List[Tensor]):
    total = torch.zeros(1)
    for x in xs:
        total = total + x
    xs.append(total)
    return xs, torch.cat(xs), torch.stack([x * 2 for x in xs])
