import { readFileSync } from 'node:fs';

/** What `bin/shingled` gives to Node: flags, and its environment. */
export function shingledScript(): { readonly flags: string[]; readonly settings: Record<string, string> } {
  const script = readFileSync(new URL('../../bin/shingled', import.meta.url), 'utf8');
  const flags = /^exec "\$node" (.*) "\$root/m.exec(script)![1]!.split(' ');
  const settings = [...script.matchAll(/^export ([A-Z_]+)="\$\{[A-Z_]+:-(.*)\}"/gm)].map(([, name, value]) => [
    name,
    value,
  ]);
  return { flags, settings: Object.fromEntries(settings) as Record<string, string> };
}
