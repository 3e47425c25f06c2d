# run: main(True)
import enum

import torch


class Level(enum.Enum):
    LOW = "low"
    HIGH = "high"


def pick(high: bool) -> Level:
    if high:
        return Level.HIGH
    return Level.LOW


def main(high: bool):
    level = pick(high)
    return level.value + "!", level != Level.LOW
# DIFFERS: TorchScript makes one value more, and drops it
