/*
 * What a crawler asks for each page: is its text new? The page is stored, or named as a copy and not stored. Whatever crawls can
 * call it: it needs the address, the text of the page, and its Content-Type.
 *
 *     node examples/unless-similar.ts http://localhost:8080 https://a.example/one https://a.example/two
 */
import { pathToFileURL } from 'node:url';
import type { PutAnswer } from '../openapi/types.d.ts';

/** So much of all shingles of two pages is in both of them: dates and counters differ, the text does not. */
const RESEMBLANCE = '0.9';
const ATTEMPTS = 5;

export interface CrawledPage {
  readonly url: string;
  readonly body: string;
  /** Of what is sent to shingled: a string is sent as UTF-8. */
  readonly contentType: string;
}

/** `copyOf`: a page that says the same; null where the text is new, or the address said it already. */
export interface Judged {
  readonly copyOf: string | null;
  readonly resemblance: number | null;
}

/**
 * @param shingled where it listens, such as http://localhost:8080
 * @throws Error where the page is none that it reads, or where it does not answer
 */
export async function storeUnlessSimilar(page: CrawledPage, shingled: string): Promise<Judged> {
  const query = new URLSearchParams({ url: page.url, unless: 'similar', resemblance: RESEMBLANCE, similar: '1' });
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${shingled}/documents?${query}`, {
      method: 'PUT',
      headers: { 'content-type': page.contentType },
      body: page.body,
    });
    if (response.ok) return judgedBy((await response.json()) as PutAnswer);
    const problem = await response.text();
    const isBusy = response.status === 429 || response.status === 503;
    if (!isBusy || attempt === ATTEMPTS) throw new Error(`shingled answered ${response.status}: ${problem}`);
    const seconds = Number(response.headers.get('retry-after') ?? attempt);
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}

function judgedBy({ status, similar }: PutAnswer): Judged {
  const nearest = status === 'skipped' ? similar?.[0] : undefined;
  if (nearest === undefined) return { copyOf: null, resemblance: null };
  return { copyOf: nearest.sources[0]!.url, resemblance: nearest.resemblance.estimate };
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const [, , shingled = '', ...urls] = process.argv;
  for (const url of urls) {
    const response = await fetch(url);
    const type = response.headers.get('content-type')?.split(';')[0] ?? 'text/html';
    const contentType = `${type}; charset=utf-8`;
    const { copyOf, resemblance } = await storeUnlessSimilar(
      { url, body: await response.text(), contentType },
      shingled,
    );
    console.log(copyOf === null ? `${url} is stored` : `${url} says what ${copyOf} does (${resemblance})`);
  }
}
