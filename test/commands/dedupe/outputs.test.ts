import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ShingledError } from '../../../src/errors.ts';
import { dedupe, FIELDS } from '../../support/cluster/deduped.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const line = (n: number, text: string) => `${JSON.stringify({ url: `https://a.example/${n}`, text })}\n`;
const TEXT = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen';
const LINES = line(1, TEXT) + line(2, `${TEXT} seventeen`) + line(3, TEXT.split(' ').toReversed().join(' '));

function made(): { readonly folder: string; readonly path: string } {
  const folder = temporaryFolder();
  const path = join(folder, 'a.ndjson');
  writeFileSync(path, LINES);
  return { folder, path };
}

describe('the outputs', () => {
  it('are not written over, nor into one another, nor into what is read; then nothing has begun', async () => {
    const { folder, path } = made();
    const there = join(folder, 'there');
    writeFileSync(there, 'mine');
    const docs = join(folder, 'docs');
    mkdirSync(docs);
    writeFileSync(join(docs, 'a.txt'), TEXT);
    const before = readdirSync(folder);
    const refused = (inputs: readonly string[], more: object) =>
      dedupe(folder, inputs, more).then(
        () => 'nothing',
        (error: unknown) => (error instanceof ShingledError ? error.code : String(error)),
      );
    expect(await refused([path], { kept: there })).toBe('output-exists');
    expect(await refused([path], { removed: there })).toBe('output-exists');
    expect(await refused([path], { removed: docs })).toBe('output-exists');
    expect(await refused([path], { removed: join(folder, 'no', 'r') })).toBe('output-unwritable');
    expect(await refused([path], { kept: join(folder, 'no', 'k') })).toBe('output-unwritable');
    expect(await refused([path], { kept: join(folder, 'k'), removed: join(folder, 'k') })).toBe('invalid-request');
    expect(await refused([docs], { removed: join(docs, 'r') })).toBe('invalid-request');
    expect(await refused([docs], { work: join(docs, 'w') })).toBe('invalid-request');
    expect(await refused(['-'], {})).toBe('invalid-request');
    expect(await refused([path], { keep: { field: 'score' } })).toBe('invalid-request');
    expect(readdirSync(folder)).toEqual(before);
    expect(readFileSync(there, 'utf8')).toBe('mine');
  });

  it('are not there where an input has other records than those that were judged', async () => {
    const { folder, path } = made();
    const { mtimeMs } = statSync(path);
    const work = join(folder, 'work');
    await dedupe(folder, [path], { work });
    const other = LINES.replace('\n', ' ');
    writeFileSync(path, other);
    utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
    expect([statSync(path).size, statSync(path).mtimeMs]).toEqual([LINES.length, mtimeMs]);
    const again = { work, kept: join(folder, 'k2'), removed: join(folder, 'r2') };
    await expect(dedupe(folder, [path], again)).rejects.toMatchObject({ code: 'input-changed', field: path });
    expect(existsSync(again.kept) || existsSync(again.removed)).toBe(false);
    // and where it says so itself
    utimesSync(path, 1, 1);
    await expect(dedupe(folder, [path], again)).rejects.toMatchObject({ code: 'invalid-request', field: 'work' });
  });

  it('come of a run that was ended, by the same command, without reading again what was found', async () => {
    const { folder, path } = made();
    const ended = new AbortController();
    const phases: string[] = [];
    const progress = ({ phase }: { phase: string }) => {
      phases.push(phase);
      if (phase === 'pairs') ended.abort(new Error('enough'));
    };
    await expect(dedupe(folder, [path], { run: { signal: ended.signal, progress } })).rejects.toThrow('enough');
    expect(readdirSync(folder).toSorted()).toEqual(['.removed.ndjson.work', 'a.ndjson']);
    const work = join(folder, '.removed.ndjson.work', 'unfinished', 'sketched.json');
    const { mtimeMs } = statSync(work);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const seen: number[] = [];
    await dedupe(folder, [path], {
      run: { progress: ({ phase }) => phase === 'pairs' && seen.push(statSync(work).mtimeMs) },
    });
    expect([...new Set(seen)]).toEqual([mtimeMs]);
    expect(readdirSync(folder).toSorted()).toEqual(['a.ndjson', 'kept', 'removed.ndjson']);
    expect(readFileSync(join(folder, 'kept'), 'utf8')).toBe(
      line(1, TEXT) + line(3, TEXT.split(' ').toReversed().join(' ')),
    );
  });

  it('may be asked for again, at another threshold and preference, of a folder that is kept', async () => {
    const { folder, path } = made();
    const work = join(folder, 'work');
    const all = { kept: '-', work, floor: 0.3 };
    const first = await dedupe(folder, [path], { ...all, threshold: 1 });
    expect(first.report).toMatchObject({ kept: 3 });
    const phases = new Set<string>();
    const second = await dedupe(folder, [path], {
      ...{ ...all, removed: join(folder, 'r2'), keep: 'longest', threshold: 0.9 },
      run: { progress: ({ phase }) => phases.add(phase) },
    });
    expect([...phases]).toEqual(['removals', 'copying']);
    expect(second.stdout.toString()).toBe(LINES.split('\n').slice(1).join('\n'));
    await expect(dedupe(folder, [path], { ...all, removed: join(folder, 'r3'), threshold: 0.2 })).rejects.toThrow(
      /floor/,
    );
    const lower = { ...all, removed: join(folder, 'r3'), threshold: 0.9, floor: 0.2 };
    await expect(dedupe(folder, [path], lower)).rejects.toMatchObject({ code: 'invalid-request', field: 'floor' });
    const other = { ...all, removed: join(folder, 'r4'), by: 'containment' as const };
    await expect(dedupe(folder, [path], other)).rejects.toMatchObject({ code: 'invalid-request', field: 'work' });
  });

  it('are not made of what was found of a folder, where one of its files has changed', async () => {
    const folder = temporaryFolder();
    const docs = join(folder, 'docs');
    mkdirSync(docs);
    for (const [i, text] of [TEXT, TEXT, TEXT.replaceAll('n', 'm')].entries())
      writeFileSync(join(docs, `${i}.txt`), text);
    const work = join(folder, 'work');
    const how = { work, fields: { ...FIELDS, urlPrefix: 'https://a.example/' } };
    expect((await dedupe(folder, [docs], how)).report).toMatchObject({ kept: 2 });
    const again = { ...how, kept: join(folder, 'k2'), removed: join(folder, 'r2') };
    expect((await dedupe(folder, [docs], again)).report).toMatchObject({ kept: 2 });
    writeFileSync(join(docs, '1.txt'), `${TEXT.split(' ').toReversed().join(' ')}`);
    const third = { ...how, kept: join(folder, 'k3'), removed: join(folder, 'r3') };
    await expect(dedupe(folder, [docs], third)).rejects.toMatchObject({ code: 'invalid-request', field: 'work' });
  });

  it('begin anew where what a run has left is of other inputs, in a folder that nobody named', async () => {
    const { folder, path } = made();
    const ended = new AbortController();
    const progress = ({ phase }: { phase: string }) => phase === 'lists' && ended.abort(new Error('enough'));
    await expect(dedupe(folder, [path], { run: { signal: ended.signal, progress } })).rejects.toThrow('enough');
    writeFileSync(path, LINES + line(4, TEXT));
    expect((await dedupe(folder, [path], {})).report).toMatchObject({ records: 4, kept: 2 });
    expect(existsSync(join(folder, '.removed.ndjson.work'))).toBe(false);
  });
});
