# run: main()
def main():
    return 1j, 2.5j, 1 + 2j, -3j
# DIFFERS: there is no arithmetic of complex numbers that could fold them
# run: main() raises TypeError: expected a value of type float but found complex
