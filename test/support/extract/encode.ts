/*
 * Texts in charsets that Node decodes and does not encode: what it decodes each byte, and each two, to, the other way round.
 */

const SEVERAL_BYTES: ReadonlySet<string> = new Set(['gbk', 'big5', 'shift_jis', 'euc-jp', 'euc-kr']);

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

function tableOf(charset: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(charset);
  if (known !== undefined) return known;
  const table = new Map<string, readonly number[]>();
  const decoder = new TextDecoder(charset);
  const put = (...bytes: number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if ([...text].length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes);
  };
  for (let byte = 0; byte < 0x100; byte++) put(byte);
  if (SEVERAL_BYTES.has(charset)) {
    for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) put(lead, trail);
  }
  tables.set(charset, table);
  return table;
}

/** A text as bytes of a charset. What that does not have is left out. */
export function encode(text: string, charset: string): Buffer {
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const table = tableOf(charset);
  return Buffer.from([...text.normalize('NFC')].flatMap((letter) => [...(table.get(letter) ?? [])]));
}
