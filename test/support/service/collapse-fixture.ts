import { onTestFinished } from 'vitest';
import { COLLAPSE_DEFAULTS } from '../../../src/http/schemas/collapse.schema.ts';
import type { CollapseAnswer, CollapsedGroup, CollapseRequest, CollapseResult } from '../../../src/service/api.ts';
import { ALL, createServiceFixture, type FixtureOptions, plain, type ServiceFixture } from './service-fixture.ts';

/* Lists of results as tests write them, and answers as positions. */

export interface TestResult {
  readonly url?: string;
  readonly text?: string;
  readonly html?: string;
  readonly title?: string;
  readonly snippet?: string;
  readonly select?: string;
  readonly remove?: string;
  readonly shown?: boolean;
  readonly observedAt?: number;
  readonly id?: string | number;
  readonly rank?: number;
}

export type TestOptions = Partial<Omit<CollapseRequest, 'results'>>;

function resultOf({
  url,
  text,
  html,
  title,
  snippet,
  select,
  remove,
  shown,
  observedAt,
  ...own
}: TestResult): CollapseResult {
  const ofHtml = (page: string) => ({ bytes: Buffer.from(page), contentType: 'text/html; charset=utf-8' });
  return {
    url: url ?? null,
    body: text !== undefined ? plain(text) : html === undefined ? null : ofHtml(html),
    title: title === undefined ? null : Buffer.from(title),
    snippet: snippet === undefined ? null : Buffer.from(snippet),
    select: select ?? null,
    remove: remove ?? null,
    shown: shown ?? false,
    observedAt: observedAt ?? null,
    ...own,
  };
}

export function requestOf(results: readonly TestResult[], options: TestOptions = {}): CollapseRequest {
  const defaults = { ...COLLAPSE_DEFAULTS, perHost: null, want: null, deadlineMs: 20_000 };
  return { ...defaults, ...options, results: results.map(resultOf) };
}

export function collapse(fixture: ServiceFixture, results: readonly TestResult[], options: TestOptions = {}) {
  return fixture.service.collapse(requestOf(results, options), ALL);
}

/** A service for one test, and its collapse. */
export function startCollapse(options: FixtureOptions = {}) {
  const fixture = createServiceFixture(options);
  onTestFinished(() => fixture.close());
  const ask = (results: readonly TestResult[], more: TestOptions = {}) => collapse(fixture, results, more);
  return { fixture, ask };
}

const positionsOf = ({ representative, members }: CollapsedGroup) => [
  representative.result,
  ...members.map(({ result }) => result),
];

/** Groups as plain lists of positions, the representative first. */
export const positions = ({ groups }: CollapseAnswer) => groups.map(positionsOf);

/** The same of what stands behind each group. */
export const behind = ({ groups }: Pick<CollapseAnswer, 'groups'>) =>
  groups.map(({ moreOfHost }) => moreOfHost.map(positionsOf));
