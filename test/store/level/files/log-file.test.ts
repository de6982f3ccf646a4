import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logRecord, maskedCrc32c, readLog } from '../../../../src/store/level/files/log-file.ts';

describe('a log of one record', () => {
  it('reads as it was written, at the edges of its blocks too', () => {
    for (const length of [0, 1, 32_760, 32_761, 32_762, 65_521, 65_522, 65_523, 200_000]) {
      const record = Buffer.alloc(length, length);
      const { records, damaged, isCut } = readLog(logRecord(record));
      expect({ records, damaged, isCut }).toEqual({ records: [record], damaged: 0, isCut: false });
    }
  });
});

describe('CRC-32C', () => {
  it('is that of a byte at a time', () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), fc.nat(9), fc.nat(9), (bytes, from, less) => {
        const to = Math.max(from, bytes.length - less);
        let crc = 0xffff_ffff;
        for (const byte of bytes.subarray(from, to)) {
          crc ^= byte;
          for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f6_3b78 : crc >>> 1;
        }
        crc = ~crc >>> 0;
        const masked = (((crc >>> 15) | (crc << 17)) + 0xa282_ead8) >>> 0;
        expect(maskedCrc32c(bytes, Math.min(from, bytes.length), Math.min(to, bytes.length))).toBe(masked);
      }),
    ));
});
