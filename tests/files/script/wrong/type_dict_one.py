# ERROR: 2:13-21: Dict takes 2 types, not 1
def main(d: Dict[str]):
    return d
