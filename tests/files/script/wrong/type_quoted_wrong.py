# ERROR: 2:14-18: unknown type 'Tensr', did you mean 'Tensor'?
def main(x: "Tensr"):
    return x
