# ERROR: 3:5-9: 'raise' alone is only possible in an except clause
def main(n: int):
    raise
