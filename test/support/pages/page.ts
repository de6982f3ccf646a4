import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_LIMITS, type ExtractLimits } from '../../../src/extract/limits.ts';
import { extractSelected } from '../../../src/extract/select/select.ts';

/** Elements that leave a word whole: what src/extract must agree with, written down a second time. */
export const INLINE =
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb rbc ruby s samp small span strike strong sub sup time tt u var'.split(
    ' ',
  );

/** Elements of every other kind, known and unknown. */
export const BLOCK =
  'p div h1 li td th tr table ul section article pre blockquote option button form figure noscript textarea my-element unheard-of o:p'.split(
    ' ',
  );

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

/** Runs of letters, marks and numbers: what the canonical form makes tokens of, case, normalisation and pairs aside. */
export function words(text: string): string[] {
  return text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
