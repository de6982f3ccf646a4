import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { backupIndex } from '../../../src/commands/index-commands.ts';
import { dedupe } from '../../support/cluster/deduped.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { article, frame, framedPage } from '../../support/pages/framed-page.ts';
import { runHere } from '../../support/process/run-here.ts';
import { configOf } from '../../support/store/made-index.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/* Sites of a frame each, on which articles stand again: as they are, or with a paragraph less. */

const make = createTextMaker(83);
const HOSTS = 5;
const ARTICLES = 15;
const frames = Array.from({ length: HOSTS }, () => frame(make, 400));
const articles = Array.from({ length: ARTICLES }, (_, i) => article(make, i % 5 === 0 ? 200 : 300));
/** Each article is on three hosts. */
const hostsOf = (i: number) => [i % HOSTS, (i + 1) % HOSTS, (i + 3) % HOSTS];
const textOn = (i: number, at: number) => (at === 2 ? articles[i]!.split('\n\n').slice(1).join('\n\n') : articles[i]!);

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
const others: Line[] = [
  // a text and a name have no frame, a host of one page has no template, and what is frame alone has no content
  { url: 'https://texts.example/1', text: articles[1]! },
  { url: 'urn:example:2', html: framedPage(frames[0]!, articles[2]!) },
  { url: 'https://alone.example/3', html: framedPage(frame(make, 40), articles[3]!) },
  { url: 'https://site0.example/empty', html: framedPage(frames[0]!, make.text(5)) },
  { url: 'https://site0.example/bare', html: framedPage(frames[0]!, make.text(6)) },
];
const linesOf = (all: readonly Line[]) => all.map((one) => `${JSON.stringify({ op: 'put', ...one })}\n`).join('');
const articleOf = (url: string) => url.replace(/^.*[/:]/, '');

let folder = '';
let files = 0;
const fileOf = (all: readonly Line[]) => {
  const file = join(folder, `${files++}.ndjson`);
  writeFileSync(file, linesOf(all));
  return file;
};
const shingled = async (args: readonly string[], env: Record<string, string> = {}) => {
  const done = await runHere(args, env);
  expect(done.err.replaceAll(/^(Before|Documents are).*\n/gm, '')).toBe('');
  expect(done.code).toBe(0);
  return done.out;
};

interface Told {
  readonly summary: Record<string, unknown> & { readonly recall: { threshold: number; atLeast: number }[] };
  /** URLs of each cluster, sorted. */
  readonly clusters: string[][];
}

async function clustered(inputs: readonly string[], more: readonly string[], env = {}, at = '.6'): Promise<Told> {
  const out = join(folder, `result${files++}`);
  const summary = JSON.parse(await shingled(['cluster', ...inputs, '--out', out, '--json', ...more], env));
  const lines = (await shingled(['cluster', out, '--at', at])).split('\n').slice(0, -1);
  const clusters = lines.map((line) => (JSON.parse(line) as { urls: string[] }).urls.toSorted());
  return { summary, clusters: clusters.sort() };
}

beforeEach(() => {
  folder = temporaryFolder();
});

describe('a corpus by the contents of its pages', () => {
  it('has the same article of several hosts together and the pages of one host apart, and by pages the other way', async () => {
    const file = fileOf(pages);
    const main = await clustered([file], ['--content', 'main']);
    expect(main.clusters.map((urls) => new Set(urls.map(articleOf)).size)).toEqual(main.clusters.map(() => 1));
    expect(main.clusters.map(({ length }) => length)).toEqual(articles.map(() => 3));
    const contents = { by: 'main', templates: HOSTS, read: pages.length, whole: 0, tooLittle: 0, notRead: 0 };
    expect(main.summary).toMatchObject({ content: 'main', contents: { ...contents, estimated: 0 } });
    const page = await clustered([file], [], {}, '.4');
    expect(page.summary).toMatchObject({ content: 'page' });
    expect(page.summary.contents).toBeUndefined();
    expect(page.clusters.map((urls) => new Set(urls.map((url) => new URL(url).host)).size)).toEqual(
      page.clusters.map(() => 1),
    );
    expect(page.clusters.flat().length).toBeGreaterThan(30);
  });

  it('is the same in any order, from files and from an index of them, a backup and a result', async () => {
    const [file, data, backup] = [fileOf([...pages, ...others]), join(folder, 'data'), join(folder, 'backup')];
    await shingled(['ingest', file], { DATA_DIR: data });
    await backupIndex(configOf(data), process.pid, backup);
    const env = { INDEX_KEY_FILE: join(data, 'index.key') };
    for (const content of ['main', 'auto']) {
      const whole = await clustered([file], ['--content', content], env);
      const reversed = fileOf([...pages, ...others].reverse());
      expect((await clustered([reversed], ['--content', content], env)).clusters).toEqual(whole.clusters);
      // as records have it
      const sampled = await clustered([file], ['--content', content], { ...env, RECORD_MODULUS: '4' });
      const [ofIndex, ofBackup] = [
        await clustered([data], ['--content', content]),
        await clustered([backup], ['--content', content]),
      ];
      for (const other of [sampled, ofIndex, ofBackup]) expect(other.clusters).toEqual(whole.clusters);
      expect(ofIndex.summary.contents).toEqual(sampled.summary.contents);
      expect(ofIndex.summary.contents).toMatchObject({ templates: HOSTS, tooLittle: 2, whole: 1, notRead: 0 });
      const joined = (article: string) => whole.clusters.find((urls) => urls.some((url) => articleOf(url) === article));
      expect(joined('1')).toHaveLength(4);
      expect(joined('3')).toHaveLength(4);
      // it has no host of which a template could be taken off
      expect(joined('2')).not.toContain('urn:example:2');
      // by their pages, where they have nothing else
      if (content === 'main') expect(joined('bare')).toBeUndefined();
      else expect(joined('bare')).toEqual(['https://site0.example/bare', 'https://site0.example/empty']);
    }
  });
});
