import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { percentEncoded } from '../../../src/ingest/fields/percent-encoded.ts';
import { nameOfBytes, onDisk } from '../../../src/ingest/inputs/byte-names.ts';

it('leads from any bytes to a name and back', () => {
  const bytesOf = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(fc.array(bytesOf, { maxLength: 4 }), (parts) => {
      const bytes = Buffer.concat(parts);
      const name = nameOfBytes(bytes);
      expect(Buffer.from(onDisk(name))).toEqual(bytes);
      expect(JSON.parse(JSON.stringify(name))).toBe(name);
      const decoded = percentEncoded(name).replaceAll(/%(..)|(.)/gs, (_, hex: string | undefined, one: string) =>
        hex === undefined ? one : String.fromCharCode(Number.parseInt(hex, 16)),
      );
      expect(Buffer.from(decoded, 'latin1')).toEqual(bytes);
    }),
    { numRuns: 2000 },
  );
});

it('leaves a name that is UTF-8 as it is', () => {
  for (const name of ['a.txt', 'é', '日本', '😀', '\ufffd']) {
    expect([nameOfBytes(Buffer.from(name)), onDisk(name)]).toEqual([name, name]);
  }
});
