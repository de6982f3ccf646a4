import { createHash } from 'node:crypto';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { UrlFile } from '../../../src/cluster/result/url-file.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

it.each([2 ** 20, 0])('gives each URL, whether all are held in memory or none (%i bytes)', (heldBytesMax) => {
  const urls = ['https://a.example/', '', 'https://ä.example/ü', `https://b.example/${'x'.repeat(5000)}`, 'tag:x'];
  const starts = new Float64Array(urls.length + 1);
  for (const [i, url] of urls.entries()) starts[i + 1] = starts[i]! + Buffer.byteLength(url);
  const bytes = Buffer.from(urls.join(''));
  const path = join(temporaryFolder(), 'urls');
  writeFileSync(path, bytes);
  const seal = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  const file = new UrlFile(path, starts, seal, heldBytesMax);
  for (const i of [3, 0, 4, 2, 1, 3]) expect(file.of(i)).toBe(urls[i]);
  file.close();
  const other = { ...seal, sha256: seal.sha256.replace(/^./, (digit) => (digit === 'a' ? 'b' : 'a')) };
  expect(() => new UrlFile(path, starts, other, heldBytesMax)).toThrow(/is not what was written/);
});

it('says where the file has become shorter', () => {
  const path = join(temporaryFolder(), 'urls');
  const bytes = Buffer.from('https://a.example/');
  writeFileSync(path, bytes);
  const seal = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  const file = new UrlFile(path, Float64Array.of(0, bytes.length), seal, 0);
  truncateSync(path, 5);
  expect(() => file.of(0)).toThrow(/shorter than it was/);
  file.close();
});
