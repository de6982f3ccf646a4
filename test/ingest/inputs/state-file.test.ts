import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Input } from '../../../src/ingest/inputs/inputs.ts';
import { type LoadSubject, readState, writeState } from '../../../src/ingest/inputs/state-file.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const INPUT: Input = { kind: 'file', name: 'a.ndjson', size: 5, mtimeMs: 7.5 };
const SUBJECT: LoadSubject = { inputs: [INPUT, { ...INPUT, name: 'b.ndjson' }], settings: { format: null } };
const STATE = { input: 1, position: { file: 'b.ndjson', byte: 3, skip: 1, record: 4 }, counts: { created: 9 } };

const written = (subject = SUBJECT) => {
  const path = join(temporaryFolder(), 'state');
  writeState(path, subject, STATE);
  return path;
};

describe('the state of a load', () => {
  it('is read as it was written, again and again, and nothing else is left', () => {
    const path = written();
    expect(readState(path, SUBJECT)).toEqual(STATE);
    writeState(path, SUBJECT, { ...STATE, input: 2, position: null });
    expect(readState(path, SUBJECT)).toEqual({ ...STATE, input: 2, position: null });
    expect(existsSync(`${path}.new`)).toBe(false);
    expect(readState(`${path}.none`, SUBJECT)).toBeNull();
  });

  it.each<[string, LoadSubject, string]>([
    ['another size', { ...SUBJECT, inputs: [{ ...INPUT, size: 6 }, SUBJECT.inputs[1]!] }, 'a.ndjson has changed'],
    ['another time', { ...SUBJECT, inputs: [{ ...INPUT, mtimeMs: 8 }, SUBJECT.inputs[1]!] }, 'a.ndjson has changed'],
    ['another name', { ...SUBJECT, inputs: [{ ...INPUT, name: 'c' }, SUBJECT.inputs[1]!] }, 'not of c'],
    ['fewer inputs', { ...SUBJECT, inputs: [INPUT] }, 'it is of 2 inputs'],
    ['other options', { ...SUBJECT, settings: { format: 'csv' } }, 'other options'],
  ])('is refused with %s', (_what, subject, detail) => {
    expect(() => readState(written(), subject)).toThrow(detail);
  });

  it('is refused for a stream', () => {
    const subject: LoadSubject = { inputs: [{ kind: 'stream', name: '-', size: null, mtimeMs: null }], settings: {} };
    expect(() => readState(written(subject), subject)).toThrow('stream');
  });

  it('is refused where it is none, of another version, or damaged', () => {
    const path = written();
    const text = readFileSync(path, 'utf8');
    const forms = [
      '',
      '{}',
      'null',
      '[1]',
      text.slice(0, -20),
      text.replace('"shingledLoad": 1', '"shingledLoad": 2'),
      text.replace('"byte": 3', '"byte": -3'),
      text.replace('"input": 1', '"input": 7'),
    ];
    for (const form of forms) {
      writeFileSync(path, form);
      expect(() => readState(path, SUBJECT)).toThrow('does not fit');
    }
  });
});
