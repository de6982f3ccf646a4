/*
 * CRC-32C (Castagnoli), with which LevelDB guards its blocks and log records, masked as it stores it there.
 */

const POLYNOMIAL = 0x82f6_3b78;
const MASK_DELTA = 0xa282_ead8;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});

/** As it stands in LevelDB's files: over bytes from..to, rotated and shifted so that a CRC of a CRC is not one. */
export function maskedCrc32c(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0xffff_ffff;
  for (let at = from; at < to; at++) crc = TABLE[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
  crc = ~crc;
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
}
