import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode, ShingledError } from '../../src/errors.ts';
import { problemOf, toShingledError } from '../../src/http/told/problems.ts';
import { readText } from '../support/tree/tree.ts';

interface Row {
  readonly code: string;
  readonly status: number | null;
  readonly title: string;
  readonly advice: string;
}

/** The rows of the tables of docs/errors.md. */
function rowsOf(page: string): Row[] {
  return [...page.matchAll(/^\| `([^`]+)` \|(?: (\d{3}) \|)? ([^|]+) \| ([^|]+) \|$/gm)].map((match) => ({
    code: match[1]!,
    status: match[2] === undefined ? null : Number(match[2]),
    title: match[3]!,
    advice: match[4]!,
  }));
}

describe('docs/errors.md', () => {
  const rows = rowsOf(readText('docs/errors.md'));

  it('has every code of the table of errors, and no other', () => {
    expect(rows.map(({ code }) => code).sort()).toEqual(Object.keys(ERRORS).sort());
  });

  it('says the status and the title of each, and what to do', () => {
    for (const { code, status, title, advice } of rows) {
      const error = ERRORS[code as ErrorCode];
      expect({ code, title }).toEqual({ code, title: error.title });
      if (status !== null) expect({ code, status }).toEqual({ code, status: error.status });
      expect(advice.length).toBeGreaterThan(15);
    }
  });
});

describe('problems', () => {
  it('tell clients what they can act on', () => {
    const error = new ShingledError('body-too-large', 'The body is larger than 5 bytes.', {
      field: 'text',
      limit: { name: 'bodyBytesMax', value: 5 },
    });
    expect(problemOf(error, 'r1')).toEqual({
      type: 'urn:shingled:error:body-too-large',
      title: 'The body is too large',
      status: 413,
      code: 'body-too-large',
      detail: 'The body is larger than 5 bytes.',
      requestId: 'r1',
      field: 'text',
      limit: { name: 'bodyBytesMax', value: 5 },
    });
  });

  it('tell nothing of what went wrong inside', () => {
    for (const error of [
      new Error('planted secret'),
      Object.assign(new Error('planted secret'), { statusCode: 400, code: 'SOMETHING' }),
      'planted secret',
      new ShingledError('internal', 'planted secret'),
      new ShingledError('index-unreadable', 'planted secret'),
    ]) {
      const problem = problemOf(toShingledError(error), 'r1');
      expect(problem.status).toBe(500);
      expect(JSON.stringify(problem)).not.toContain('planted');
    }
  });
});
