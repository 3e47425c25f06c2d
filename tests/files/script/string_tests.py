# run: main("abc")
# run: main("12")
# run: main("A1 ")
def main(s: str):
    return s.isdigit(), s.isalpha(), s.isalnum(), s.isupper(), s.islower(), s.isspace(), s.istitle()
