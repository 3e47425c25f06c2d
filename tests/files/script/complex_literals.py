# run: main()
def main():
    return 1j, 2.5j, 1 + 2j, -3j
