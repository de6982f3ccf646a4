import type { Statistics } from 'hyparquet';

/**
 * The least and the greatest of numbers that are held as their bits.
 *
 * @param values of 32 bits, or of 64 as bigint; null if there is none
 */
export function floatStatistics(values: readonly unknown[], type: 'FLOAT' | 'DOUBLE'): Statistics {
  const view = new DataView(new ArrayBuffer(8));
  let [min, max, nulls] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  let isAny = false;
  for (const bits of values) {
    if (bits === null) {
      nulls++;
      continue;
    }
    if (type === 'FLOAT') view.setInt32(0, bits as number);
    else view.setBigInt64(0, bits as bigint);
    const value = type === 'FLOAT' ? view.getFloat32(0) : view.getFloat64(0);
    if (Number.isNaN(value)) continue;
    isAny = true;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const null_count = BigInt(nulls);
  if (!isAny) return { null_count };
  // zeros of both signs are equal: the bounds hold either
  return { null_count, min_value: min === 0 ? -0 : min, max_value: max === 0 ? 0 : max };
}
