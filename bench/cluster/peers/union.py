"""Union-find, and the form in which all of these tell their clusters: a line for each text, its number and that of its cluster."""

from pathlib import Path


class Union:
    def __init__(self, size: int) -> None:
        self.parents = list(range(size))

    def root(self, one: int) -> int:
        parents = self.parents
        while parents[one] != one:
            parents[one] = parents[parents[one]]
            one = parents[one]
        return one

    def join(self, one: int, other: int) -> None:
        a, b = self.root(one), self.root(other)
        if a != b:
            self.parents[max(a, b)] = min(a, b)

    def write(self, path: Path) -> None:
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(f"{one}\t{self.root(one)}\n" for one in range(len(self.parents)))
