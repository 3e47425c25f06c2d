# run: main([True, False])
# run: main([True, True])
# run: main([])
def main(xs: List[bool]):
    return any(xs), all(xs)
