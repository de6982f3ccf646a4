import { readFileSync } from 'node:fs';
import { createPrng } from '../../test/support/prng.ts';
import { startService } from '../support/service-process.ts';
import type { Row } from '../support/table.ts';
import { type SetPage, setPages } from './framed-set.ts';
import { askAll, putAll } from './over-http.ts';

/* One article on a host with very many pages in one frame, and a copy of it elsewhere: is the copy found, and how fast? */

const ROUNDS = 20;
const ASKED = 100;
const TICKS_PER_S = 100;

/** @param size pages of the host */
export async function crowdRows(path: string, size: number): Promise<Row[]> {
  const pages: SetPage[] = [];
  for await (const page of setPages(path)) pages.push(page);
  const host = pages[0]!.host;
  const frame = frameOf(pages.find((page) => page.host === host)!);
  const target = pages.find((page) => page.host !== host && page.text.split(/\s+/).length < 120)!;
  const elsewhere = pages.find((page) => page.host !== host && page.article !== target.article)!;
  const service = await startService();
  const url = 'https://crowd.example/target';
  try {
    await putAll(service, crowd(pages, frame, size));
    const copy = frameOf(elsewhere)(paragraphs(target.text));
    await putAll(
      service,
      listed([
        { url, html: frame(paragraphs(target.text)) },
        { url: target.url, html: copy },
      ]),
    );
    const cpu = () => {
      const fields = readFileSync(`/proc/${service.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
    };
    const spent = { page: 0, main: 0 };
    let first = 0;
    let complete = 0;
    for (let round = 0; round < ROUNDS; round++) {
      for (const content of ['page', 'main'] as const) {
        const before = cpu();
        const answers = await askAll(
          service,
          Array.from({ length: ASKED }, () => ({ url, content, resemblance: 0.5 })),
        );
        spent[content] += cpu() - before;
        if (content === 'page') continue;
        for (const answer of answers) {
          first += Number(answer.matches[0]?.sources[0]?.url === target.url);
          complete += Number(answer.complete);
        }
      }
    }
    const all = ROUNDS * ASKED;
    const what = `the copy among ${size} pages of one host, content=main`;
    return [
      { row: `${what}: first`, value: first / all, unit: '', target: '>= 1' },
      { row: `${what}: complete`, value: complete / all, unit: '', target: '>= 1' },
      { row: `${what}: CPU of a query`, value: (1000 * spent.main) / all, unit: 'ms' },
      { row: `${what}: CPU by that of a query by page`, value: spent.main / spent.page, unit: '', target: '<= 1.2' },
    ];
  } finally {
    await service.stop();
  }
}

const paragraphs = (text: string) => text.split('\n');

/** A page of the host with other paragraphs in the place of its article. */
function frameOf({ html, text }: SetPage): (lines: readonly string[]) => string {
  const lines = paragraphs(text).map(escaped);
  const [first, last] = [lines[0]!, lines.at(-1)!];
  const from = html.indexOf(`>${first}<`);
  const to = html.indexOf(`>${last}<`, from);
  const begin = html.lastIndexOf('<', from);
  const end = html.indexOf('>', to + 1 + last.length) + 1;
  return (others) =>
    `${html.slice(0, begin)}${others.map((line) => `<p>${escaped(line)}</p>`).join('\n')}${html.slice(end)}`;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

async function* listed<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function* crowd(pages: readonly SetPage[], frame: (lines: readonly string[]) => string, size: number) {
  const prng = createPrng(300);
  const all = pages.flatMap(({ text }) => paragraphs(text));
  for (let i = 0; i < size; i++) {
    const lines = Array.from({ length: 4 + prng.below(5) }, () => all[prng.below(all.length)]!);
    yield { url: `https://crowd.example/${i}`, html: frame([...lines, `Page ${i} of the day ${7 * i}.`]) };
  }
}
