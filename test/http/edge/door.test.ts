import { expect, it } from 'vitest';
import { BODY_BYTES_A_PLACE, IN_HAND_MAX } from '../../../src/http/edge/door.ts';
import { serveHere } from '../../support/process/run-here.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

it('lets in a body that is larger than what one caller may hold, where bodies may be so large', async () => {
  const size = (IN_HAND_MAX / 2 + 2) * BODY_BYTES_A_PLACE;
  const { url } = await serveHere({ DATA_DIR: temporaryFolder(), BODY_BYTES_MAX: String(2 * size) });
  for (const body of [Buffer.alloc(size, 'word '), new Blob([Buffer.alloc(size, 'word ')]).stream()]) {
    const headers = { 'content-type': 'text/plain' };
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, headers, duplex: 'half' };
    const answer = await fetch(`${url}/composition`, init);
    // all of it was read, and is more than a document may have
    expect(await answer.json()).toMatchObject({ code: 'body-too-large', limit: { name: 'documentBytesMax' } });
  }
});
