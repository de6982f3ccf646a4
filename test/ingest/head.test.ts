import { describe, expect, it } from 'vitest';
import { headOf } from '../../src/ingest/head.ts';
import type { UnpackedChunk } from '../../src/ingest/port.ts';

describe('the head of a file', () => {
  it('lets go of the file where the rest is not asked for', async () => {
    let isClosed = false;
    async function* chunks(): AsyncGenerator<UnpackedChunk> {
      try {
        for (let byte = 0; ; byte += 4) yield { bytes: Buffer.from('abcd'), byte, begins: false, damage: null };
      } finally {
        isClosed = true;
      }
    }
    const { head, close } = await headOf(chunks(), 6);
    expect(Buffer.from(head).toString()).toBe('abcdab');
    expect(isClosed).toBe(false);
    await close();
    expect(isClosed).toBe(true);
  });
});
