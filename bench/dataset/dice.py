"""Seeded random choices. Uses random.Random.random() only, whose sequence is the same in all versions of Python."""
import random


class Dice:
    def __init__(self, *seed):
        self._random = random.Random(" ".join(map(str, seed))).random

    def whole(self, low, high):
        """An integer from low to high, both included."""
        return low + int(self._random() * (high - low + 1))

    def real(self, low, high):
        return low + self._random() * (high - low)

    def chance(self, probability):
        return self._random() < probability

    def pick(self, choices):
        return choices[self.whole(0, len(choices) - 1)]

    def several(self, choices, count):
        """`count` different elements of `choices`, in random order."""
        left = list(choices)
        return [left.pop(self.whole(0, len(left) - 1)) for _ in range(count)]
