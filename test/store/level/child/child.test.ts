import { expect, test } from 'vitest';
import { ChildDied, inChild } from '../../../../src/store/level/child/child.ts';

const BESIDE = new URL('../../../support/process/', import.meta.url).href;
const run = (input: object, lines: string[] = []) =>
  inChild('answering.process', `${BESIDE}beside.ts`, input, (line) => lines.push(line));

test('a child gives its result behind what it says of its progress', async () => {
  const lines: string[] = [];
  expect(await run({ gives: { pages: [1, 2] } }, lines)).toEqual({ pages: [1, 2] });
  expect(lines).toEqual(['begun']);
});

test('an error of a child keeps its code, its message, its field and its limit', async () => {
  await expect(run({ fails: 'typed' })).rejects.toMatchObject({
    name: 'ShingledError',
    code: 'invalid-config',
    message: 'Too small.',
    field: 'DATA_DIR',
    limit: { name: 'LEAST', value: 3 },
  });
});

test('what nobody foresaw is an internal error with its message', async () => {
  await expect(run({ fails: 'else' })).rejects.toMatchObject({ code: 'internal', message: 'Nobody foresaw it.' });
});

test('a child that ends without an answer tells how, with its last words', async () => {
  const failure = run({ ends: 3 });
  await expect(failure).rejects.toBeInstanceOf(ChildDied);
  await expect(failure).rejects.toThrow('with exit code 3 Its last words: last words');
});
