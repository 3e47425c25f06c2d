# run: main([[1, 2], [3, 4]], [[5, 6], [7, 8]])
def main(a: List[List[int]], b: List[List[int]]):
    out: List[List[int]] = []
    for i in range(len(a)):
        row: List[int] = []
        for j in range(len(b[0])):
            s = 0
            for k in range(len(b)):
                s += a[i][k] * b[k][j]
            row.append(s)
        out.append(row)
    return out
