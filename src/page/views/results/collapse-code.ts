import type { CollapseRequest } from 'shingled/types';

/* What a caller would send, to copy. */

/**
 * A command that sends a request as it is: no line of JSON that is printed so is `JSON` alone.
 *
 * @param at address of the call
 * @param hasKey whether a key is needed
 */
export function asCurl(at: string, request: CollapseRequest, hasKey: boolean): string {
  const json = JSON.stringify(request, null, 2);
  const key = hasKey ? ` \\\n  -H "Authorization: Bearer $SHINGLED_KEY"` : '';
  return `curl -s ${quoted(at)} -H 'Content-Type: application/json'${key} \\\n  --data-binary @- <<'JSON'\n${json}\nJSON\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A function in JavaScript that collapses results as this request does. */
export function asCode(at: string, { results: _results, ...options }: CollapseRequest, hasKey: boolean): string {
  const key = hasKey ? `, authorization: \`Bearer \${process.env.SHINGLED_KEY}\`` : '';
  const fields = Object.entries(options).map(([name, value]) => `      ${name}: ${JSON.stringify(value)},\n`);
  return `/** What to show of results ({ url, text, title and snippet }), copies folded away; all of them where shingled does not answer. */
export async function withoutCopies(results) {
  const response = await fetch(${JSON.stringify(at)}, {
    method: 'POST',
    headers: { 'content-type': 'application/json'${key} },
    body: JSON.stringify({
      results,
${fields.join('')}    }),
    signal: AbortSignal.timeout(1000),
  });
  if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`);
  const { groups } = await response.json();
  return groups.map(({ representative, members }) => ({
    result: results[representative.result],
    alike: members.map(({ result }) => results[result]),
  }));
}
`;
}
