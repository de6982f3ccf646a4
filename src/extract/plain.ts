import { withoutSoftHyphens } from './soft-hyphens.ts';

/** The text of a plain text: its characters, but for soft hyphens. The very same bytes where it has none. */
export function plainText(utf8: Uint8Array): Uint8Array {
  return withoutSoftHyphens(utf8);
}
