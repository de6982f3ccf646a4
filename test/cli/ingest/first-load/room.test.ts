import { describe, expect, it } from 'vitest';
import { Room } from '../../../../src/cli/ingest/first-load/room.ts';
import type { FirstLoadState } from '../../../../src/client/port.ts';
import type { Input } from '../../../../src/ingest/inputs/inputs.ts';

const GB = 1e9;
const file = (name: string, size: number | null): Input => ({ kind: 'file', name, size, mtimeMs: 0 });

/** A first load on a disk with so much free. */
function roomOf(free: number | null, atBegin = free) {
  const state = { isKept: false, phase: 'documents', freeBytes: free, freeBytesAtBegin: atBegin };
  const told = { ...state } as { -readonly [Key in keyof FirstLoadState]: FirstLoadState[Key] };
  return { told, room: new Room(() => told) };
}

describe('the room of a first load', () => {
  it.each([
    [10 * GB, [file('a.ndjson', 20 * GB)], true],
    [10 * GB, [file('a.ndjson', 10 * GB)], false],
    [10 * GB, [file('a.ndjson', 5 * GB), file('b.warc.gz', 4 * GB)], true],
    [10 * GB, [file('docs', null)], false],
    [null, [file('a.ndjson', 20 * GB)], false],
  ])('of %d bytes is held against what the inputs are (%j)', (free, inputs, isShort) => {
    const text = roomOf(free).room.before(inputs);
    if (isShort) expect(text).toMatch(/needs about 1\d\.\d GiB, and 9\.3 GiB are free\. .*what was read is kept/);
    else expect(text).toBeNull();
  });

  it('is held against what was taken so far, once', () => {
    const { told, room } = roomOf(10 * GB);
    expect(room.while(() => 20 * GB)).toBeNull();
    told.freeBytes = 7 * GB;
    expect(room.while(() => 16 * GB)).toBeNull();
    told.freeBytes = 6 * GB;
    expect(room.while(() => null)).toBeNull();
    expect(room.while(() => 12 * GB)).toContain('this first load needs about');
    expect(room.while(() => 11 * GB)).toBeNull();
  });

  it('is enough where what is left fits, and where nothing is loaded', () => {
    const { told, room } = roomOf(10 * GB);
    told.freeBytes = 7 * GB;
    expect(room.while(() => 4 * GB)).toBeNull();
    told.freeBytes = 6.9 * GB;
    expect(room.while(() => 3.8 * GB)).toBeNull();
    expect(new Room(() => undefined).before([file('a', 1e15)])).toBeNull();
  });
});
