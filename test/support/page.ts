import { extract } from '../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_LIMITS, type ExtractLimits } from '../../src/extract/limits.ts';
import { extractSelected } from '../../src/extract/select.ts';

const bytesOf = (body: string | Uint8Array) => (typeof body === 'string' ? Buffer.from(body) : body);

/** Extraction with the default limits, its text as a string. */
export function read(
  body: string | Uint8Array,
  contentType: string | null = 'text/html',
  limits: Partial<ExtractLimits> = {},
) {
  const { text, ...rest } = extract({ bytes: bytesOf(body), contentType }, { ...DEFAULT_EXTRACT_LIMITS, ...limits });
  return { text: Buffer.from(text).toString(), ...rest };
}

/** The same for parts of a page. */
export function readParts(
  body: string | Uint8Array,
  select: string | null,
  remove: string | null = null,
  limits: Partial<ExtractLimits> = {},
) {
  const { text, ...rest } = extractSelected(
    { bytes: bytesOf(body), contentType: 'text/html' },
    { select, remove },
    { ...DEFAULT_EXTRACT_LIMITS, ...limits },
  );
  return { text: Buffer.from(text).toString(), ...rest };
}

/** Runs of letters, marks and numbers: what the canonical form makes tokens of, case and normalisation aside. */
export function words(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
