import type { Problem } from 'shingled/types';
import { typedKey } from './typed-key.ts';

/* The one way to the service: its public API, at addresses relative to the page. */

/** So long somebody waits who sees that it is asked; calls that read documents too are given more. */
export const ANSWER_DEADLINE_MS = 20_000;

/** Why there is no answer. */
export class Refusal extends Error {
  /** The API's code, or `unreachable` where nobody answered. */
  readonly code: string;
  /** What it is about, in words. */
  readonly title: string;
  /** The field of the request that is at fault. */
  readonly field: string | null;
  readonly retryAfterS: number | null;

  constructor(
    problem: Pick<Problem, 'title' | 'detail'> & { code: string; field?: string },
    retryAfterS: number | null,
  ) {
    super(problem.detail);
    this.code = problem.code;
    this.title = problem.title;
    this.field = problem.field ?? null;
    this.retryAfterS = retryAfterS;
  }
}

type Values = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A path with its query; what is null or undefined is not said. */
export function withQuery(path: string, values: Values): string {
  const query = Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** @throws Refusal, or whatever `signal` was aborted with */
export function getFrom<T>(path: string, signal: AbortSignal): Promise<T> {
  return exchange<T>(path, { signal });
}

/** @throws Refusal, or whatever `signal` was aborted with */
export function postTo<T>(path: string, body: object, signal: AbortSignal): Promise<T> {
  return exchange<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body, (_name, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)),
    signal,
  });
}

async function exchange<T>(path: string, init: RequestInit & { readonly signal: AbortSignal }): Promise<T> {
  const key = typedKey();
  const headers = { ...(init.headers as object), ...(key === null ? {} : { authorization: `Bearer ${key}` }) };
  const response = await fetch(path, { ...init, headers, credentials: 'omit', redirect: 'error' }).catch(
    (error: unknown) => {
      init.signal.throwIfAborted();
      throw unreachable(error);
    },
  );
  const text = await response.text().catch((error: unknown) => {
    init.signal.throwIfAborted();
    throw unreachable(error);
  });
  const answer = parsed(text);
  if (response.ok && answer !== null) return answer as T;
  const problem = isProblem(answer) ? answer : strange(response.status);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new Refusal(problem, Number.isFinite(seconds) ? seconds : null);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function isProblem(answer: unknown): answer is Problem {
  return typeof answer === 'object' && answer !== null && 'code' in answer && 'detail' in answer && 'title' in answer;
}

function unreachable(error: unknown): Refusal {
  const detail = `Nothing that you typed is lost. Is it running, and is there a network between you and it? (${String(error)})`;
  return new Refusal({ code: 'unreachable', title: 'The service does not answer', detail }, null);
}

function strange(status: number) {
  const detail = 'Something between this page and the service may have answered in its place.';
  return { code: 'strange-answer', title: `The answer cannot be read (status ${status})`, detail };
}
