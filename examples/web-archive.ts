/*
 * The hits of a web archive's text search as pages: all captures of one URL together, and with them those of other URLs that
 * say the same. Made for the answers of https://arquivo.pt/textsearch.
 *
 *     node examples/web-archive.ts http://localhost:8080 'https://arquivo.pt/textsearch?q=what+to+look+for'
 */
import { pathToFileURL } from 'node:url';
import type { CollapseAnswer, CollapseRequest } from '../openapi/types.d.ts';

/** What is used of a hit, which is one capture of a page. */
export interface Capture {
  readonly originalURL: string;
  /** YYYYMMDDhhmmss, UTC. */
  readonly tstamp: string;
  readonly title: string;
  /** With the words that were looked for in <em>. */
  readonly snippet: string;
  readonly linkToArchive: string;
}

/** A page, titled as its oldest capture, with all its captures, the oldest first. */
export interface ArchivedPage {
  readonly title: string;
  readonly captures: readonly Capture[];
}

/** @param shingled where it listens, such as http://localhost:8080 */
export async function pagesOf(captures: readonly Capture[], shingled: string): Promise<ArchivedPage[]> {
  const request: CollapseRequest = {
    results: captures.map((capture) => ({
      url: capture.originalURL,
      // at most 2,000 and 10,000 bytes, of up to four a letter
      title: capture.title.slice(0, 500).toWellFormed(),
      snippet: capture.snippet.slice(0, 2000).toWellFormed(),
      observedAt: timeOf(capture),
    })),
    prefer: 'oldest',
  };
  const response = await fetch(`${shingled}/collapse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(`shingled answered ${response.status}: ${await response.text()}`);
  const { groups } = (await response.json()) as CollapseAnswer;
  return groups.map(({ representative, members }) => {
    const ofPage = [representative, ...members].map(({ result }) => captures[result]!);
    const oldestFirst = ofPage.toSorted((a, b) => Number(a.tstamp) - Number(b.tstamp));
    return { title: oldestFirst[0]!.title, captures: oldestFirst };
  });
}

/** 20091218112530 -> 2009-12-18T11:25:30Z */
function timeOf({ tstamp }: Capture): string {
  return tstamp.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z');
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const [, , shingled = '', textSearch = ''] = process.argv;
  const answer = await fetch(textSearch);
  if (!answer.ok) throw new Error(`the archive answered ${answer.status}`);
  const { response_items } = (await answer.json()) as { response_items: Capture[] };
  for (const { title, captures } of await pagesOf(response_items, shingled)) {
    console.log(title);
    for (const capture of captures) console.log(`  ${timeOf(capture).slice(0, 10)} ${capture.linkToArchive}`);
  }
}
