# run: main(3)
import torch


class Celsius:
    def __init__(self, degrees: float):
        self.degrees = degrees

    @property
    def kelvin(self) -> float:
        return self.degrees + 273.0

    @kelvin.setter
    def kelvin(self, value: float):
        self.degrees = value - 273.0


def main(n: int):
    c = Celsius(float(n))
    before = c.kelvin
    c.kelvin = 300.0
    return before, c.degrees
# DIFFERS: TorchScript's place of a decorated setter is another one
