"""A service by FastAPI and one library: python peer_service.py rensa|datasketch TEXTS PORT.

TEXTS has one text a line. POST /query takes a text; GET /similar?id=N asks by the sketch of a line. Both answer
[{"id", "score"}] of what resembles it by .5 or more.
"""

import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request

WORDS, PERMUTATIONS, THRESHOLD = 10, 128, 0.5
library, texts, port = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])


def shingles(text: str) -> list[str]:
    words = text.split(" ")
    return [" ".join(words[i : i + WORDS]) for i in range(len(words) - WORDS + 1)]


if library == "rensa":
    from rensa import RMinHash, RMinHashLSH

    index = RMinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, num_bands=32)

    def sketch(text: str) -> RMinHash:
        made = RMinHash(PERMUTATIONS, 42)
        made.update(shingles(text))
        return made

else:
    from datasketch import LeanMinHash, MinHash, MinHashLSH

    index = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS)
    empty = MinHash(PERMUTATIONS)

    def sketch(text: str) -> LeanMinHash:
        made = empty.copy()
        made.update_batch([shingle.encode() for shingle in shingles(text)])
        return LeanMinHash(made)


sketches = []
app = FastAPI()


def found(one) -> list[dict]:
    scores = ((number, one.jaccard(sketches[number])) for number in index.query(one))
    return [{"id": number, "score": score} for number, score in scores if score >= THRESHOLD]


@app.post("/query")
async def query(request: Request):
    return found(sketch((await request.body()).decode()))


@app.get("/similar")
async def similar(id: int):
    return found(sketches[id])


with open(texts, encoding="utf-8") as lines:
    for number, line in enumerate(lines):
        sketches.append(sketch(line.rstrip("\n")))
        index.insert(number, sketches[-1])
uvicorn.run(app, host="127.0.0.1", port=port, log_level="error", loop="uvloop", http="httptools")
