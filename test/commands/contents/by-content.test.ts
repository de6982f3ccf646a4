import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ResultSummary } from '../../../src/cluster/result/result-folder.ts';
import { clusterInputs, openClusters } from '../../../src/commands/cluster-commands.ts';
import { backupIndex } from '../../../src/commands/index-commands.ts';
import { createIngestSources } from '../../../src/commands/ingest-sources.ts';
import type { ContentChoice } from '../../../src/core/content/told-content.ts';
import { createIndexKeyFile } from '../../../src/identity/index-key.ts';
import { dedupe, FIELDS } from '../../support/cluster/deduped.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { article, frame, framedPage } from '../../support/pages/framed-page.ts';
import { runHere } from '../../support/process/run-here.ts';
import { configOf } from '../../support/store/made-index.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/* Sites of a frame each, on which articles stand again: as they are, or with a paragraph less. */

const make = createTextMaker(83);
const HOSTS = 4;
const ARTICLES = 8;
const frames = Array.from({ length: HOSTS }, () => frame(make, 800));
const articles = Array.from({ length: ARTICLES }, (_, i) => article(make, i % 4 === 0 ? 400 : 600));
/** Each article is on three hosts, on the last one with a paragraph less. */
const hostsOf = (i: number) => [i % HOSTS, (i + 1) % HOSTS, (i + 3) % HOSTS];
const textOn = (i: number, at: number) => (at === 2 ? articles[i]!.split('\n\n').slice(1).join('\n\n') : articles[i]!);

const halfOf = (text: string) => text.slice(0, text.indexOf('\n\n', text.length / 2));

interface Line {
  readonly url: string;
  readonly html?: string;
  readonly text?: string;
}

const pages: Line[] = articles.flatMap((_, i) =>
  hostsOf(i).map((host, at) => ({
    url: `https://site${host}.example/${i}`,
    html: framedPage(frames[host]!, textOn(i, at)),
  })),
);
/** A text, a name, a host of one page, and pages that are hardly more than their frame. */
const others: Line[] = [
  { url: 'https://texts.example/1', text: articles[1]! },
  { url: 'urn:example:2', html: framedPage(frames[0]!, halfOf(articles[2]!)) },
  { url: 'https://alone.example/3', html: framedPage(frame(make, 40), articles[3]!) },
  { url: 'https://site0.example/empty', html: framedPage(frames[0]!, make.text(5)) },
  { url: 'https://site0.example/bare', html: framedPage(frames[0]!, make.text(6)) },
];
const articleOf = (url: string) => url.replace(/^.*[/:]/, '');
const hostOf = (url: string) => new URL(url).host;
const numberOf = <T>(all: readonly T[]) => new Set(all).size;

let folder = '';
let made = 0;

beforeEach(() => {
  folder = temporaryFolder();
});

function fileOf(all: readonly Line[]): string {
  const file = join(folder, `${made++}.ndjson`);
  writeFileSync(file, all.map((one) => `${JSON.stringify({ op: 'put', ...one })}\n`).join(''));
  return file;
}

async function indexOf(file: string): Promise<string> {
  const data = join(folder, `data${made++}`);
  expect((await runHere(['ingest', file], { DATA_DIR: data })).code).toBe(0);
  return data;
}

interface Wishes {
  readonly env?: Record<string, string>;
  readonly at?: number;
  readonly hasSketches?: boolean;
}

interface Clustered {
  readonly result: string;
  readonly summary: ResultSummary;
  /** URLs of each cluster. */
  readonly clusters: string[][];
}

async function cluster(input: string, content: ContentChoice, wishes: Wishes = {}): Promise<Clustered> {
  const { env = {}, at = 0.5, hasSketches = false } = wishes;
  const config = configOf(join(folder, 'unused'), env);
  const sources = createIngestSources(config, (async function* () {})());
  const result = join(folder, `result${made++}`);
  const request = { inputs: [input], fields: FIELDS, folder: result, by: 'resemblance', floor: 0.25 } as const;
  const run = { sources, signal: new AbortController().signal, progress: () => undefined };
  const summary = await clusterInputs(config, process.pid, { ...request, content, hasSketches }, run);
  await sources.close();
  const answers = openClusters(result)!;
  const clusters = [...answers.clusters(at)].map(({ urls }) => urls.toSorted());
  answers.close();
  return { result, summary, clusters: clusters.sort() };
}

describe('a corpus by the contents of its pages', () => {
  it('has one article of several hosts together and the pages of a host apart, and by pages the other way', async () => {
    const file = fileOf(pages);
    const main = await cluster(file, 'main');
    expect(main.clusters).toHaveLength(ARTICLES);
    for (const urls of main.clusters) {
      expect([urls.length, numberOf(urls.map(articleOf)), numberOf(urls.map(hostOf))]).toEqual([3, 1, 3]);
    }
    const contents = { by: 'main', templates: HOSTS, read: pages.length, whole: 0, tooLittle: 0, notRead: 0 };
    expect(main.summary).toMatchObject({ shingledClusters: 2, content: 'main', contents });
    expect(main.summary.contents?.estimated).toBe(0);
    const page = await cluster(file, 'page', { at: 0.4 });
    expect(page.summary).toMatchObject({ shingledClusters: 1, content: 'page' });
    expect(page.summary.contents).toBeUndefined();
    for (const urls of page.clusters) expect(numberOf(urls.map(hostOf))).toBe(1);
    expect(page.clusters.some((urls) => numberOf(urls.map(articleOf)) > 3)).toBe(true);
  });

  it('is the same in any order, from files, from an index of them and from a backup of that', async () => {
    const file = fileOf([...pages, ...others]);
    const data = await indexOf(file);
    const backup = join(folder, 'backup');
    await backupIndex(configOf(data), process.pid, backup);
    const env = { INDEX_KEY_FILE: join(data, 'index.key') };
    const whole = await cluster(file, 'main', { env });
    // as records have it
    const sampled = await cluster(file, 'main', { env: { ...env, RECORD_MODULUS: '4' } });
    const ofIndex = await cluster(data, 'main');
    expect(ofIndex.summary.contents).toEqual(sampled.summary.contents);
    const contents = { templates: HOSTS, whole: 1, read: pages.length + 2, tooLittle: 2, notRead: 0 };
    expect(ofIndex.summary.contents).toMatchObject(contents);
    expect(ofIndex.summary.contents?.estimated).toBeGreaterThan(pages.length / 2);
    // a part of a record has no more postings than a text of its size
    expect(ofIndex.summary.recall.at(-1)!.atLeast).toBeLessThanOrEqual(whole.summary.recall.at(-1)!.atLeast);
    const reversed = await cluster(fileOf([...pages, ...others].reverse()), 'main', { env });
    const ofBackup = await cluster(backup, 'main');
    for (const other of [sampled, ofIndex, ofBackup, reversed]) expect(other.clusters).toEqual(whole.clusters);
    const of = (clusters: readonly string[][], name: string) =>
      clusters.find((urls) => urls.some((url) => articleOf(url) === name));
    expect(of(whole.clusters, '1')).toContain('https://texts.example/1');
    expect(of(whole.clusters, '3')).toContain('https://alone.example/3');
    // a name has no host of which a template could be taken off
    expect(of(whole.clusters, '2')).not.toContain('urn:example:2');
    expect(of(whole.clusters, 'bare')).toBeUndefined();
    const auto = await cluster(data, 'auto');
    expect(of(auto.clusters, 'bare')).toEqual(['https://site0.example/bare', 'https://site0.example/empty']);
    expect(auto.clusters.filter((urls) => !urls.includes('https://site0.example/bare'))).toEqual(whole.clusters);
  });

  it('needs the key of an index, by which pages are chosen that stand for their hosts', async () => {
    const data = await indexOf(fileOf(pages.slice(0, 2)));
    const backup = join(folder, 'backup');
    const env = { INDEX_KEY_FILE: join(data, 'index.key') };
    await backupIndex(configOf(data, env), process.pid, backup);
    await expect(cluster(backup, 'main')).rejects.toMatchObject({ code: 'invalid-request', field: 'content' });
    const wrong = { INDEX_KEY_FILE: join(folder, 'another.key') };
    createIndexKeyFile(wrong.INDEX_KEY_FILE);
    await expect(cluster(backup, 'main', { env: wrong })).rejects.toMatchObject({ code: 'index-mismatch' });
    expect((await cluster(backup, 'main', { env })).clusters).toEqual((await cluster(data, 'main')).clusters);
  });

  it('keeps one of each article where its copies go, also beside a corpus that stays, whatever that is', async () => {
    const [first, second] = [fileOf(pages.slice(0, 12)), fileOf(pages.slice(12))];
    const file = fileOf(pages);
    const places = () => ({ kept: join(folder, `kept${made++}`), removed: join(folder, `removed${made++}`) });
    const alone = await dedupe(folder, [file], { ...places(), threshold: 0.6, content: 'main' });
    expect(alone.report).toMatchObject({ content: 'main', kept: ARTICLES, removed: { 'near-copy': 2 * ARTICLES } });
    expect(alone.report.contents).toMatchObject({ by: 'main', templates: HOSTS });
    for (const { url, keptUrl } of alone.removed) expect(articleOf(url)).toBe(articleOf(keptUrl));
    // hosts have too few pages in either corpus, and enough in both
    const data = await indexOf(first);
    const [result, byPages] = [
      await cluster(first, 'main', { hasSketches: true }),
      await cluster(first, 'page', { hasSketches: true }),
    ];
    const env = { INDEX_KEY_FILE: join(data, 'index.key') };
    const ofIndex = await cluster(data, 'main', { hasSketches: true });
    const against = (path: string, content: ContentChoice, more: Record<string, string> = {}) =>
      dedupe(folder, [second], { ...places(), threshold: 0.6, content, against: { path, isAlone: false }, env: more });
    const ofFiles = await against(first, 'main');
    const gone = ofFiles.removed.map(({ url }) => url);
    expect(ofFiles.report.contents).toMatchObject({ templates: HOSTS });
    expect(ofFiles.report.kept).toBe(ARTICLES - numberOf(pages.slice(0, 12).map(({ url }) => articleOf(url))));
    for (const path of [data, result.result]) {
      expect((await against(path, 'main')).removed.map(({ url }) => url)).toEqual(gone);
    }
    expect((await against(ofIndex.result, 'main', env)).removed.map(({ url }) => url)).toEqual(gone);
    // texts are kept whole with their marks: by pages they are what they were
    const byPage = await against(byPages.result, 'page');
    expect((await against(result.result, 'page')).removed.map(({ url }) => url)).toEqual(
      byPage.removed.map(({ url }) => url),
    );
    await expect(against(byPages.result, 'main')).rejects.toMatchObject({ code: 'invalid-request', field: 'content' });
  });
});
