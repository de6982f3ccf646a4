export interface Html5libCase {
  readonly data: Buffer;
  /** What is said of it, by the names of the sections: `encoding`, `document`, … */
  readonly wanted: ReadonlyMap<string, string>;
}

/**
 * The cases of a .dat file of html5lib's tests, which names its sections in lines of their own:
 *
 *   #data
 *   <meta charset=iso8859-2>
 *   #encoding
 *   iso-8859-2
 */
export function html5libCases(file: Buffer): Html5libCase[] {
  // byte by byte, since the bytes are what is tested
  const parts = file.toString('latin1').split(/^#([a-z-]+)\n/m);
  const cases: { data: Buffer; wanted: Map<string, string> }[] = [];
  for (let at = 1; at < parts.length; at += 2) {
    const [name, lines] = [parts[at]!, parts[at + 1]!];
    if (name === 'data') cases.push({ data: Buffer.from(lines.replace(/\n$/, ''), 'latin1'), wanted: new Map() });
    else cases.at(-1)?.wanted.set(name, lines.trim());
  }
  return cases;
}
