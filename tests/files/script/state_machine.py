# run: main("12+34*2")
# run: main("7")
# run: main("1+x")
def main(s: str) -> int:
    total = 0
    number = 0
    op = "+"
    for c in s + "+":
        if c >= "0" and c <= "9":
            number = number * 10 + int(c)
        elif c == "+" or c == "*":
            if op == "+":
                total += number
            else:
                total *= number
            number = 0
            op = c
        else:
            raise RuntimeError("unexpected " + c)
    return total
