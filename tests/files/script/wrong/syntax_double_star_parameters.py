# ERROR: 2:18-25: '**kwargs' is not part of TorchScript: parameters are fixed
def main(a: int, **kwargs):
    return a
