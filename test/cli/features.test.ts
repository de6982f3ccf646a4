import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FEATURES_TYPE } from '../../src/features/feature-list.ts';
import type { SimilarAnswer } from '../../src/service/api.ts';
import { dedupe, FIELDS } from '../support/cluster/deduped.ts';
import { runHere } from '../support/process/run-here.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

/* Records with features, from the file to the answer. */

const TAGS = Array.from({ length: 10 }, (_, i) => `tag, "${i}"`);
const RECORDS = [
  { url: 'https://shop.example/1', tags: TAGS },
  { url: 'https://shop.example/2', tags: TAGS.toReversed() },
  { url: 'https://shop.example/3', tags: [...TAGS.slice(1), 'another'] },
  { url: 'https://shop.example/4', tags: ['something', 'else'] },
];
const csvOf = (text: string) => `"${text.replaceAll('"', '""')}"`;

const FILES: Readonly<Record<string, () => string>> = {
  'shop.ndjson': () => RECORDS.map((record) => `${JSON.stringify(record)}\n`).join(''),
  'shop.csv': () => `url,tags\n${RECORDS.map(({ url, tags }) => `${url},${csvOf(JSON.stringify(tags))}\n`).join('')}`,
  'shop.json': () => JSON.stringify(RECORDS),
};

function written(name: string): { readonly folder: string; readonly file: string; readonly env: { DATA_DIR: string } } {
  const folder = temporaryFolder();
  const file = join(folder, name);
  writeFileSync(file, FILES[name]!());
  return { folder, file, env: { DATA_DIR: join(folder, 'data') } };
}

describe('features in a file', () => {
  it.each(Object.keys(FILES))('are ingested from %s by the field that is told', async (name) => {
    const { file, env } = written(name);
    const { code, out } = await runHere(['ingest', file, '--features-field', 'tags', '--json'], env);
    expect([code, JSON.parse(out)]).toMatchObject([0, { results: { created: 4 } }]);
    expect(JSON.parse((await runHere(['stats', '--json'], env)).out)).toMatchObject({ sources: 4, contents: 3 });
  });

  it('are asked for, clustered and deduped', async () => {
    const { folder, file, env } = written('shop.ndjson');
    expect(await runHere(['ingest', file, '--features-field', 'tags', '--json'], env)).toMatchObject({ code: 0 });
    expect(await runHere(['check'], env)).toMatchObject({ code: 0 });
    const asked = join(folder, 'asked');
    writeFileSync(asked, JSON.stringify(TAGS));
    const type = ['--type', FEATURES_TYPE];
    const { out } = await runHere(['similar', asked, ...type, '--json'], env);
    const { query, matches } = JSON.parse(out) as SimilarAnswer;
    expect(query).toMatchObject({ kind: 'features', shingles: 10 });
    expect(matches).toMatchObject([
      { equivalence: 'identical', sourceCount: 2 },
      { equivalence: 'none', resemblance: { estimate: 0.818182 }, sourceCount: 1 },
    ]);
    expect((await runHere(['similar', asked, ...type], env)).out).toMatch(/: 10 features, short\n/);
    expect((await runHere(['composition', asked, ...type], env)).out).toMatch(/: 10 features, short\n/);
    const compared = await runHere(['compare', asked, 'https://shop.example/3', ...type], env);
    expect(compared.out).toMatch(/https:\/\/shop\.example\/3 \(10 features\)\n/);
    const { report, removed } = await dedupe(folder, [file], { fields: { ...FIELDS, features: 'tags' } });
    expect(report).toMatchObject({ documents: 4 });
    expect(removed.map(({ url }) => url).sort()).toEqual([RECORDS[1]!.url, RECORDS[2]!.url]);
    const result = join(folder, 'result');
    const clustered = await runHere(['cluster', file, '--features-field', 'tags', '--out', result], env);
    expect(clustered).toMatchObject({ code: 0 });
  });
});

describe('what is exported of features', () => {
  it('are their URLs and what is known of them; their strings are in no index', async () => {
    const { file, env } = written('shop.ndjson');
    await runHere(['ingest', file, '--features-field', 'tags', '--json'], env);
    const { out } = await runHere(['export'], env);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { url?: string });
    expect(lines.filter(({ url }) => url !== undefined).map(({ url }) => url)).toEqual(RECORDS.map(({ url }) => url));
    expect(out).not.toContain('tag,');
  });
});
