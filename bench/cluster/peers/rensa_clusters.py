"""Clusters of texts by rensa: python rensa_clusters.py FOLDER. Reads FOLDER/texts-*.ndjson, writes FOLDER/rensa.tsv."""

import json
import sys
from pathlib import Path

from rensa import RMinHash, RMinHashLSH

from union import Union

WORDS, PERMUTATIONS, BANDS, THRESHOLD, BATCH = 5, 128, 16, 0.8, 10_000


def shingles(text: str) -> list[str]:
    words = text.lower().split()
    return [" ".join(words[i : i + WORDS]) for i in range(len(words) - WORDS + 1)]


def batches(folder: Path):
    batch = []
    for path in sorted(folder.glob("texts-*.ndjson")):
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                batch.append(shingles(json.loads(line)["text"]))
                if len(batch) == BATCH:
                    yield batch
                    batch = []
    yield batch


def main(folder: Path) -> None:
    lsh = RMinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, num_bands=BANDS)
    hashes = []
    for batch in batches(folder):
        made = RMinHash.from_token_sets(batch, PERMUTATIONS, 42)
        lsh.insert_many(made, len(hashes))
        hashes.extend(made)
    union = Union(len(hashes))
    for number, one in enumerate(hashes):
        for other in lsh.query(one):
            if other < number and one.jaccard(hashes[other]) >= THRESHOLD:
                union.join(number, other)
    union.write(folder / "rensa.tsv")


main(Path(sys.argv[1]))
