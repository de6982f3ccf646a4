import { onTestFinished } from 'vitest';
import { DEFAULT_COMPOSITION_OPTIONS } from '../../../src/service/composition/composition-options.ts';
import type { CompositionAnswer, CompositionOptions } from '../../../src/service/composition/composition-shapes.ts';
import { createTextMaker } from '../core/make-documents.ts';
import { ALL, createServiceFixture, type FixtureOptions, ofText, type ServiceFixture } from './service-fixture.ts';

/* What texts are made of, by a whole service over the memory store. */

export const COMPOSED: CompositionOptions = { ...DEFAULT_COMPOSITION_OPTIONS, deadlineMs: 60_000 };

export const asked =
  (fixture: ServiceFixture) =>
  (text: string, more: Partial<CompositionOptions> = {}) =>
    fixture.service.compose(ofText(text), { ...COMPOSED, ...more }, ALL);

/** An index of texts by their URLs, for one test. */
export async function indexOf(texts: Readonly<Record<string, string>>, options: FixtureOptions = {}) {
  const fixture = createServiceFixture(options);
  onTestFinished(() => fixture.close());
  for (const [url, text] of Object.entries(texts)) await fixture.put(url, text);
  return { fixture, compose: asked(fixture) };
}

/** The first source of each part. */
export const urlsOf = ({ parts }: CompositionAnswer) => parts.map(({ sources }) => sources[0]!.url);

/** What parts add, and what is unexplained. */
export const sumOf = ({ parts, unexplained }: CompositionAnswer) =>
  parts.reduce((sum, { unique }) => sum + unique.estimate, unexplained.estimate);

const make = createTextMaker(5);
/** A long text, one that an index knows whole, and one that is in no index. */
export const [long, other, own] = [make.text(4000), make.text(300), make.text(600)] as const;

export const some = (text: string, from: number, words: number) =>
  text
    .split(' ')
    .slice(from, from + words)
    .join(' ');
