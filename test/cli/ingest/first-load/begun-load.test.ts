import { describe, expect, it } from 'vitest';
import {
  type BegunState,
  type BegunSubject,
  begunNotes,
  begunState,
} from '../../../../src/cli/ingest/first-load/begun-load.ts';
import { emptyTally } from '../../../../src/cli/ingest/tally.ts';
import type { FillAccess } from '../../../../src/client/port.ts';
import type { InputFields } from '../../../../src/ingest/sources.ts';

const SUBJECT: BegunSubject = {
  inputs: [{ kind: 'folder', name: 'docs', size: null, mtimeMs: null }],
  fields: { urlPrefix: null } as InputFields,
  errors: 'refused',
  state: 'a.state',
};
const SURE: BegunState = {
  position: { file: 'docs/a', byte: 0, skip: 0, record: 1 },
  ...{ tally: emptyTally(), errorsBytes: 10, errorsLeftOut: 0, similarBytes: 0, listingBytes: 20, isAtEnd: false },
};

/** An index whose folder holds the first load that a command has begun. */
const begunBy = (subject: BegunSubject) =>
  ({ firstLoad: { note: begunNotes(subject)!(SURE), folder: 'index/loading' } }) as unknown as FillAccess;

describe('a first load that was begun', () => {
  it('is gone on with by the command that began it', () => {
    expect(begunState(begunBy(SUBJECT), SUBJECT)).toEqual(SURE);
  });

  it.each([
    [{ state: 'b.state' }, 'it kept its progress in a.state (--state).'],
    [{ state: null }, 'it kept its progress in a.state (--state).'],
    [{ errors: null }, 'it named refusals in refused (--errors).'],
  ])('is not gone on with by one with %j', (other, why) => {
    expect(() => begunState(begunBy(SUBJECT), { ...SUBJECT, ...other })).toThrow(why);
  });

  it('is not gone on with by one that has a file which it had not', () => {
    const bare = { ...SUBJECT, errors: null, state: null };
    expect(() => begunState(begunBy(bare), { ...bare, errors: 'x' })).toThrow('it had no file of --errors.');
    expect(() => begunState(begunBy(bare), { ...bare, state: 'x' })).toThrow('it had no --state.');
  });
});
