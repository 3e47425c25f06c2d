# ERROR: 3:12-17: 'Tensor' has no attribute 'shap', did you mean 'shape'?
def main(x: Tensor):
    return x.shap
