import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { BulkLine } from '../../src/service/api.ts';
import { documentText } from '../support/texts.ts';

const NEWLINE = 10;
const fileIn = (folder: string) => join(folder, 'texts.ndjson');

/** Writes so many texts of a collection as lines of JSON. */
export async function writeTexts(folder: string, count: number, bytes: number): Promise<void> {
  const file = createWriteStream(fileIn(folder));
  for (let i = 0; i < count; i++) {
    const line = { url: `https://host${i % 997}.example/page/${i}`, text: documentText(i, bytes) };
    if (!file.write(`${JSON.stringify(line)}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

/** The first `count` of them, read as the command line reads its files. */
export async function* readTexts(folder: string, count: number): AsyncGenerator<BulkLine, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  for await (const chunk of createReadStream(fileIn(folder), { highWaterMark: 2 ** 18 })) {
    const bytes: Buffer = Buffer.concat([rest, chunk as Buffer]);
    let at = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, at)) {
      if (line === count) return;
      yield lineOf(++line, JSON.parse(bytes.toString('utf8', at, end)) as { url: string; text: string });
      at = end + 1;
    }
    rest = bytes.subarray(at);
  }
}

function lineOf(line: number, { url, text }: { url: string; text: string }): BulkLine {
  return {
    line,
    operation: {
      ...{ op: 'put', url, observedAt: null, meta: null, select: null, remove: null, similar: 0, unless: null },
      body: { bytes: Buffer.from(text), contentType: 'text/plain; charset=utf-8' },
    },
  };
}
