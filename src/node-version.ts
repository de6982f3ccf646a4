const WAY = 'In a clone "npm start" takes the one that npm installed, and so does "npx node dist/main.js check".';

/**
 * What is wrong with the Node that runs this, null where nothing is.
 *
 * @param version such as `24.1.0`
 * @param needed `engines.node` of package.json, such as `>=22.19`
 */
export function faultOfNode(version: string, needed: string): string | null {
  const [least, is] = [needed, version].map((text) => (text.match(/\d+/g) ?? []).map(Number)) as [number[], number[]];
  for (const [at, part] of least.entries()) {
    const own = is[at] ?? 0;
    if (own > part) return null;
    if (own < part)
      return `shingled needs Node ${needed.replace('>=', '')} or later, and this is Node ${version}.\n${WAY}`;
  }
  return null;
}
