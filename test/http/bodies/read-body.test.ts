import { PassThrough } from 'node:stream';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ShingledError } from '../../../src/errors.ts';
import { type BodyHold, readBody } from '../../../src/http/bodies/read-body.ts';

const LIMITS = { bodyBytesMax: 1_000_000, bodyTimeoutMs: 10_000 };

/** A body on its way, and what it holds. */
function reading(more: Partial<BodyHold> = {}, leastRate?: { windowMs: number; bytes: number }) {
  const stream = Object.assign(new PassThrough(), { headers: {} });
  const held = { bytes: 0, isReading: false };
  const hold: BodyHold = {
    begin: () => Object.assign(held, { isReading: true }),
    grow: (bytes) => Object.assign(held, { bytes }),
    end: () => Object.assign(held, { isReading: false }),
    ...more,
  };
  return { stream, held, body: readBody(stream, LIMITS, hold, leastRate) };
}

describe('a body', () => {
  it('says what it holds while it is read', async () => {
    const { stream, held, body } = reading();
    stream.write('one ');
    await turn();
    expect(held).toEqual({ bytes: 4, isReading: true });
    stream.end('two');
    expect((await body).toString()).toBe('one two');
    expect(held).toEqual({ bytes: 7, isReading: false });
  });

  it('is cut off where it comes too slowly, however long it could go on, and not where it comes fast enough', async () => {
    const pieces = async (size: number) => {
      const { stream, held, body } = reading({}, { windowMs: 60, bytes: 100 });
      const done = body.then(
        ({ length }) => length,
        ({ code }: ShingledError) => code,
      );
      for (let sent = 0; sent < 12; sent++) {
        stream.write('x'.repeat(size));
        await wait(15);
      }
      stream.end();
      expect([await done, held.isReading]).toEqual([await done, false]);
      return done;
    };
    expect(await Promise.all([pieces(1), pieces(2000)])).toEqual(['request-timeout', 24_000]);
  });

  it('can be made to go, and goes where it would hold too much', async () => {
    const { body } = reading({ begin: (giveUp) => giveUp(new ShingledError('overloaded', 'planted')) });
    await expect(body).rejects.toMatchObject({ code: 'overloaded' });
    const greedy = reading({
      grow: () => {
        throw new ShingledError('overloaded', 'planted');
      },
    });
    greedy.stream.write('x');
    await expect(greedy.body).rejects.toMatchObject({ code: 'overloaded' });
    expect(greedy.held.isReading).toBe(false);
  });
});
