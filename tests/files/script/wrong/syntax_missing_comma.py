# ERROR: 3:15: expected ',' or ']', found '2'
def main():
    return [1 2]
