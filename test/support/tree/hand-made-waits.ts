/** Ways to wait, and to bound a wait, that src/sharing has once for all. */
const KINDS: Readonly<Record<string, RegExp>> = {
  promise: /\bnew Promise\b|\bwithResolvers\b/,
  timer: /(?<!\.)\bset(?:Timeout|Interval)\(|'node:timers/,
  signal: /\bnew AbortController\b|\bAbortSignal\.(?:any|timeout)\b/,
  deadline: /performance\.now\(\) *(?:[+<]|>)|(?:[+<-]|(?<!=)>)=? *performance\.now\(\)/,
};

/** Where they are made. */
const MAKERS = ['src/sharing/waiting.ts', 'src/sharing/deadline.ts'];

/** The waits that a file of src makes by hand, each as `path: kind`. */
export function handMadeWaits(path: string, text: string): string[] {
  if (MAKERS.includes(path)) return [];
  const code = text.split('\n').filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line));
  return Object.entries(KINDS).flatMap(([kind, pattern]) =>
    code.filter((line) => pattern.test(line)).map(() => `${path}: ${kind}`),
  );
}
