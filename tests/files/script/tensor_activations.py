# run: main(tensor([-1.0, 0.0, 2.0]))
def main(x: Tensor):
    return torch.relu(x), x.relu(), torch.tanh(x), torch.sigmoid(x), x.sigmoid()
