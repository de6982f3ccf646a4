"""Clusters of texts by datatrove: python datatrove_clusters.py FOLDER. Reads FOLDER/texts-*.ndjson, writes FOLDER/datatrove.tsv.

Its own example (examples/minhash_deduplication.py), two tasks at once: 14 bands of 8 hashes over 5 words.
"""

import struct
import sys
from pathlib import Path

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupBuckets, MinhashDedupCluster
from datatrove.pipeline.readers import JsonlReader
from datatrove.utils.hashing import HashConfig

from union import Union

CORES = 2


def run(steps: list, tasks: int, name: str, folder: Path) -> None:
    LocalPipelineExecutor(pipeline=steps, tasks=tasks, workers=min(tasks, CORES), logging_dir=str(folder / name)).run()


def main(texts: Path) -> None:
    config = MinhashConfig(hash_config=HashConfig(precision=64), num_buckets=14, hashes_per_bucket=8, n_grams=5)
    work = texts / "datatrove"
    signatures, buckets, ids = (str(work / name) for name in ("signatures", "buckets", "ids"))
    reader = JsonlReader(str(texts), glob_pattern="texts-*.ndjson", text_key="text", id_key="url")
    run([reader, MinhashDedupSignature(output_folder=signatures, config=config)], CORES, "log1", work)
    buckets_step = MinhashDedupBuckets(input_folder=signatures, output_folder=buckets, config=config)
    run([buckets_step], config.num_buckets, "log2", work)
    cluster_step = MinhashDedupCluster(input_folder=buckets, output_folder=ids, config=config, save_cluster_id=True)
    run([cluster_step], 1, "log3", work)

    # a number is that within its file: of the first file, then of the second
    sizes = [sum(1 for _ in open(path, "rb")) for path in sorted(texts.glob("texts-*.ndjson"))]
    union = Union(sum(sizes))
    first: dict[int, int] = {}
    for path in sorted(Path(ids).glob("*.clusters")):
        before = sum(sizes[: int(path.stem)])
        for document, cluster in struct.iter_unpack("<2I", path.read_bytes()):
            union.join(first.setdefault(cluster, before + document), before + document)
    union.write(texts / "datatrove.tsv")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
