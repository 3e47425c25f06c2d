# ERROR: 2:5: expected the function's name, found '('
def (a: int):
    return a
