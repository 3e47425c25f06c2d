# ERROR: 3:5-7: 'try' without 'except' or 'finally'
def main(a: int):
    try:
        a = 1
    return a
