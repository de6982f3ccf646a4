import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { bulkLineSources } from '../../../support/cli/bulk-line-sources.ts';
import { indexWith, runWith } from '../../../support/process/cli-run.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

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

  it('is at its end, as a checkpoint says, only if nothing of what was read waits for its answer', async () => {
    const input = join(temporaryFolder(), 'lines');
    writeFileSync(input, [1, 2, 3].map((n) => `{"op":"put","url":"u:${n}","text":"${n}"}\n`).join(''));
    let note: () => string | null = () => null;
    const notes: unknown[] = [];
    const keep = () => {
      const { tally, isAtEnd } = JSON.parse(note() ?? '{}');
      notes.push([tally?.read ?? 0, isAtEnd]);
    };
    const access = indexWith({
      async *bulk(lines) {
        // all is read before the first answer
        for (const { line, operation } of await Array.fromAsync(lines)) {
          keep();
          yield { line, url: operation.url, status: 201, result: 'created' };
        }
        keep();
      },
    });
    const firstLoad = {
      firstLoad: { isKept: false, note: null },
      keepFirstLoad: (asked: typeof note) => {
        note = asked;
      },
    };
    const commands = { fill: async () => Object.assign(access, firstLoad), sources: async () => bulkLineSources() };
    await runWith(['ingest', input], commands as never);
    expect(notes).toEqual([
      [0, undefined],
      [1, false],
      [2, false],
      [3, true],
    ]);
  });
});
