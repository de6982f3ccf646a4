import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ClusterAnswers } from '../../cluster/result/cluster-answers.ts';
import { nameSource } from '../../service/url.ts';
import type { Revisit } from './judged-corpus.ts';

/*
 * Revisits of an archive have no text of their own: they say that a URL held what another record has. Where that record goes,
 * they would point at nothing, so they go with it.
 *
 *   revisits ─► URLs that they name, as numbers ─► documents of these URLs, by time ─► of each revisit the one that it means
 *
 * Cost: 8 bytes a URL that is named, 20 a document of one, while documents are looked through twice.
 */

const HASH_BYTES = 6;
/** Times that name no part of a second mean all of it. */
const SECOND_MS = 1000;

/** 48 bits of a URL; equal ones are compared in full. */
const numberOf = (url: string) => hash('sha1', url, 'buffer').readUIntBE(0, HASH_BYTES);

export interface MeantDocument {
  readonly revisit: Revisit;
  /** The document at its URL and time. */
  readonly document: number;
}

/**
 * Revisits with the documents that they mean: of those of the URL the last one that was there by then, or that of the time
 * which they name. A revisit whose document the corpus does not have is passed over.
 *
 * @param from the first document that is looked at
 */
export async function* meantDocuments(
  path: string,
  answers: ClusterAnswers,
  from: number,
  urlBytesMax: number,
): AsyncGenerator<MeantDocument, void, undefined> {
  const named = new Set<number>();
  for await (const { as } of revisitsOf(path, urlBytesMax)) named.add(numberOf(as));
  if (named.size === 0) return;
  const { documents } = answers.result;
  // one without a date may be older than any, and is of no time that is named
  const dateOf = (document: number) => {
    const date = documents.dates[document] ?? Number.NaN;
    return Number.isNaN(date) ? Number.NEGATIVE_INFINITY : date;
  };
  const found: number[] = [];
  const numbers: number[] = [];
  for (let document = from; document < documents.count; document++) {
    const number = numberOf(answers.urlOf(document));
    if (!named.has(number)) continue;
    found.push(document);
    numbers.push(number);
  }
  const byUrl = new Map<number, number[]>();
  for (const [i, document] of found.entries()) {
    const known = byUrl.get(numbers[i]!);
    if (known === undefined) byUrl.set(numbers[i]!, [document]);
    else known.push(document);
  }
  for await (const revisit of revisitsOf(path, urlBytesMax)) {
    let meant = -1;
    for (const document of byUrl.get(numberOf(revisit.as)) ?? []) {
      const date = dateOf(document);
      const isLater = meant < 0 || date >= dateOf(meant);
      const isThen = date <= revisit.at && (!revisit.isExact || date > revisit.at - SECOND_MS);
      if (isThen && isLater && answers.urlOf(document) === revisit.as) meant = document;
    }
    if (meant >= 0) yield { revisit, document: meant };
  }
}

/** With normalised URLs, as documents have them. */
async function* revisitsOf(path: string, urlBytesMax: number): AsyncGenerator<Revisit, void, undefined> {
  const normalised = (url: string) => {
    try {
      return nameSource(url, 'url', urlBytesMax).url;
    } catch {
      return url;
    }
  };
  const file = await open(path);
  try {
    for await (const line of file.readLines()) {
      const revisit = JSON.parse(line) as Revisit;
      yield { ...revisit, url: normalised(revisit.url), as: normalised(revisit.as) };
    }
  } finally {
    await file.close();
  }
}
