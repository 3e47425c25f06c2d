# run: main([1, 3, 5, 7, 9], 7)
# run: main([1, 3, 5, 7, 9], 4)
def main(xs: List[int], x: int) -> int:
    low = 0
    high = len(xs) - 1
    while low <= high:
        mid = (low + high) // 2
        if xs[mid] == x:
            return mid
        elif xs[mid] < x:
            low = mid + 1
        else:
            high = mid - 1
    return -1
