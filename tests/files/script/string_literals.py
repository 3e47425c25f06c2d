# run: main()
def main():
    a = "double \" quote"
    b = 'single \' quote'
    c = "tab\tnewline\nbackslash\\"
    d = """three
lines
"""
    e = "joined " "together"
    return a, b, c, d, e, ""
