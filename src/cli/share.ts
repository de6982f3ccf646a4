import { type Given, UsageError } from './command.ts';
import type { OptionName } from './command-options.ts';

/** A share that an option gives, above 0 and at most 1; null where it was not given. @throws UsageError */
export function shareOf(given: Given, name: OptionName): number | null {
  const text = given.text(name);
  if (text === null) return null;
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (share > 0 && share <= 1) return share;
  throw new UsageError(`--${name} is a share above 0 and up to 1, such as .9: "${text}" is none`);
}

/** A whole number that an option gives. @throws UsageError */
export function numberOf(
  given: Given,
  name: OptionName,
  { otherwise, max }: { otherwise: number; max: number },
): number {
  const text = given.text(name);
  if (text === null) return otherwise;
  if (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= max) return Number(text);
  throw new UsageError(`--${name} is a whole number from 1 to ${max}: "${text}" is none`);
}

const UNITS = { M: 2 ** 20, G: 2 ** 30 } as const;

/** Bytes that an option gives, as 512M or 2G; undefined where it was not given. @throws UsageError */
export function bytesOf(given: Given, name: OptionName): number | undefined {
  const text = given.text(name);
  if (text === null) return;
  const unit = UNITS[text.slice(-1).toUpperCase() as keyof typeof UNITS] as number | undefined;
  if (unit !== undefined && /^\d{1,6}(\.\d{1,3})?.$/.test(text)) return Math.floor(Number(text.slice(0, -1)) * unit);
  throw new UsageError(`--${name} is a size such as 512M or 2G: "${text}" is none`);
}
