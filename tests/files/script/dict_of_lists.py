# run: main([5, 8, 3])
def main(xs: List[int]):
    groups: Dict[int, List[int]] = {}
    for x in xs:
        even = x % 2
        if even not in groups:
            fresh: List[int] = []
            groups[even] = fresh
        groups[even].append(x)
    return groups
