"""Clusters of texts by text-dedup: python text_dedup_clusters.py FOLDER. Reads FOLDER/texts-*.ndjson, writes FOLDER/text-dedup.tsv."""

import pickle
import subprocess
import sys
from pathlib import Path

from union import Union

CORES = 2


def main(texts: Path) -> None:
    work = texts / "text-dedup"
    command = [sys.executable, "-m", "text_dedup.minhash", "--path", "json", "--split", "train", "--column", "text"]
    command += ["--data_files", str(texts / "texts-*.ndjson"), "--cache_dir", str(work / "cache")]
    command += ["--output", str(work / "kept"), "--debug", "--num_proc", str(CORES)]
    command += ["--ngram", "5", "--min_length", "1", "--threshold", "0.8", "--hash_func", "xxh3"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(work / "kept" / "uf.pkl", "rb") as file:
        found = pickle.load(file)
    union = Union(sum(1 for path in texts.glob("texts-*.ndjson") for _ in open(path, "rb")))
    for number in found.parent:
        union.join(number, found.find(number))
    union.write(texts / "text-dedup.tsv")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
