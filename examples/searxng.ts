/*
 * A page of SearXNG's results without its near-copies, and at most two of a host. SearXNG answers JSON where its settings.yml
 * says `search: formats: [html, json]`.
 *
 *     node examples/searxng.ts http://localhost:8080 http://localhost:8888 'what to look for'
 */
import { pathToFileURL } from 'node:url';
import type { CollapseAnswer, CollapseRequest } from '../openapi/types.d.ts';

/** What is used of a result of SearXNG. */
export interface SearxngResult {
  readonly url: string | null;
  readonly title: string;
  readonly content: string;
}

/** A result to show, with those that are folded away behind it. */
export interface Shown {
  readonly result: SearxngResult;
  readonly alike: readonly SearxngResult[];
  readonly moreOfHost: readonly SearxngResult[];
}

/**
 * @param shingled where it listens, such as http://localhost:8080
 * @returns all the results as they came, where shingled does not answer: a page must not wait for it
 */
export async function withoutCopies(results: readonly SearxngResult[], shingled: string): Promise<Shown[]> {
  const request: CollapseRequest = {
    results: results.map(({ url, title, content }) => ({
      url,
      // at most 2,000 and 10,000 bytes, of up to four a letter
      title: title.slice(0, 500).toWellFormed(),
      snippet: content.slice(0, 2000).toWellFormed(),
    })),
    perHost: 2,
  };
  try {
    const response = await fetch(`${shingled}/collapse`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(1000),
    });
    if (!response.ok) throw new Error(`shingled answered ${response.status}: ${await response.text()}`);
    const { groups } = (await response.json()) as CollapseAnswer;
    const at = ({ result }: { result: number }) => results[result]!;
    return groups.map(({ representative, members, moreOfHost }) => ({
      result: at(representative),
      alike: members.map(at),
      moreOfHost: moreOfHost.flatMap((group) => [group.representative, ...group.members]).map(at),
    }));
  } catch (error) {
    console.warn(`Near-copies are not folded: ${String(error)}`);
    return results.map((result) => ({ result, alike: [], moreOfHost: [] }));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const [, , shingled = '', searxng = '', query = ''] = process.argv;
  const answer = await fetch(`${searxng}/search?format=json&q=${encodeURIComponent(query)}`);
  if (!answer.ok) throw new Error(`SearXNG answered ${answer.status}`);
  const { results } = (await answer.json()) as { results: SearxngResult[] };
  for (const { result, alike, moreOfHost } of await withoutCopies(results, shingled)) {
    console.log(`${result.title}\n  ${result.url}`);
    for (const { url } of alike) console.log(`    alike: ${url}`);
    for (const { url } of moreOfHost) console.log(`    more of this host: ${url}`);
  }
}
