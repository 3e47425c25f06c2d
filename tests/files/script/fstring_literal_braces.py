# Doubled braces, and braces in strings beside a formatted one, are text.
# run: main(5)
# oracle: python
def main(a: int):
    return f"{a}" f"{{}}", f"{{{a}}}", f"{a}{{" "}}", f"{{" "{a}" "}", "{}" f"{a}"
