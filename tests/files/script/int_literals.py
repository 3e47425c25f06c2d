# run: main()
def main():
    return 0, 1, 255, 1000000, -5, - 7
