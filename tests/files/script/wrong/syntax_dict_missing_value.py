# ERROR: 3:24: expected ':', found '}'
def main(a: int):
    return {"a": 1, "b"}
