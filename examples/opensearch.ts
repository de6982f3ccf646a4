/*
 * Page after page of an OpenSearch or Elasticsearch index without near-copies: each page is as long as is wanted, and none
 * repeats what an earlier one showed.
 *
 *     node examples/opensearch.ts http://localhost:8080 http://localhost:9200/pages 'what to look for'
 */
import { pathToFileURL } from 'node:url';
import type { CollapseAnswer, CollapseRequest, CollapseResult } from '../openapi/types.d.ts';

/** A hit as _search answers it, in `hits.hits`: name your own fields in _source, and in resultOf. */
export interface Hit {
  readonly _id: string;
  readonly _source: { readonly url: string; readonly title: string; readonly text: string };
}

/** A hit to show, with those that are folded away behind it. */
export interface Shown {
  readonly hit: Hit;
  readonly alike: readonly Hit[];
}

/** What is compared: the whole text. Leave it out where shingled indexes the pages themselves, or give a `snippet` instead. */
const resultOf = ({ _source: { url, text } }: Hit): CollapseResult => ({ url, text });

/** So many hits are asked for at once, of which mostly some are copies. */
const HITS = 50;
/** So many of the last results that were shown are told to shingled: it takes 1,000 results and 8 MiB at a time. */
const SHOWN_MAX = 100;

/**
 * The pages of a search, each made when it is asked for.
 *
 * @param search `count` hits from position `from` on
 * @param shingled where it listens, such as http://localhost:8080
 * @param size results on a page; only the last page may be shorter
 */
export async function* pagesOf(
  search: (from: number, count: number) => Promise<readonly Hit[]>,
  shingled: string,
  size: number,
): AsyncGenerator<Shown[], void, undefined> {
  const shown: Hit[] = [];
  let page: Shown[] = [];
  for (let from = 0; ; ) {
    const hits = await search(from, HITS);
    if (hits.length === 0) break;
    const before = shown.slice(-SHOWN_MAX);
    const { groups, taken } = await collapse(shingled, {
      results: [...before.map((hit) => ({ ...resultOf(hit), shown: true })), ...hits.map(resultOf)],
      want: size - page.length,
      deadlineMs: 1000,
    });
    const at = ({ result }: { result: number }) => hits[result - before.length]!;
    const more = groups.map(({ representative, members }) => ({ hit: at(representative), alike: members.map(at) }));
    from += taken - before.length;
    shown.push(...more.map(({ hit }) => hit));
    page.push(...more);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function collapse(shingled: string, request: CollapseRequest): Promise<CollapseAnswer> {
  const response = await fetch(`${shingled}/collapse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(`shingled answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as CollapseAnswer;
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const [, , shingled = '', index = '', words = ''] = process.argv;
  const search = async (from: number, size: number) => {
    const response = await fetch(`${index}/_search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from, size, query: { match: { text: words } } }),
    });
    if (!response.ok) throw new Error(`the index answered ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { hits: { hits: Hit[] } }).hits.hits;
  };
  let number = 0;
  for await (const page of pagesOf(search, shingled, 3)) {
    console.log(`Page ${++number}`);
    for (const { hit, alike } of page) {
      console.log(`  ${hit._source.title}  ${hit._source.url}`);
      for (const { _source } of alike) console.log(`    alike: ${_source.url}`);
    }
  }
}
