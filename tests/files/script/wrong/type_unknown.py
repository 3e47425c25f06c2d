# ERROR: 2:13-17: unknown type 'Tensr', did you mean 'Tensor'?
def main(x: Tensr):
    return x
