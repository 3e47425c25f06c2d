# run: main(3)
def main(n: int):
    rows: List[List[int]] = []
    for i in range(n):
        row: List[int] = []
        for j in range(i + 1):
            row.append(i * j)
        rows.append(row)
    rows[0][0] = 100
    return rows, rows[-1][1]
