import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytesOf, rewrite } from '../../support/ingest/rewritten.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const refusal = (names: readonly string[], out: string) => expect(rewrite(names, out, () => true)).rejects;

/** Files by their names. @returns their paths */
function files(folder: string, contents: Readonly<Record<string, string>>): string[] {
  return Object.entries(contents).map(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  });
}

describe('a copy', () => {
  it('of many tables has them written in one way', async () => {
    const folder = temporaryFolder();
    const names = files(folder, {
      'a.csv': '# yesterday\nurl,text\nu:1,a\n',
      'b.csv': '# today\n\nurl,text\nu:2,b\n',
      'cr.csv': 'url,text\ru:3,c\r',
      'wide.csv': 'u:4,d,e\n',
    });
    const [a, b, cr, wide] = names as [string, string, string, string];
    const out = join(folder, 'all.csv');
    await rewrite([a, b], out, () => true);
    expect(bytesOf(out).toString()).toBe('# yesterday\nurl,text\nu:1,a\nu:2,b\n');
    await refusal([a, cr], join(folder, 'mixed.csv')).toMatchObject({ code: 'invalid-request', field: cr });
    const bare = { fields: { url: '1', text: '2', table: { noHeader: true as const } } };
    await expect(rewrite([a, wide], join(folder, 'mixed.csv'), () => true, bare)).rejects.toMatchObject({
      field: wide,
    });
    await rewrite([a, b], join(folder, 'bare.csv'), (input) => input === 1, bare);
    expect(bytesOf(join(folder, 'bare.csv')).toString()).toBe('# yesterday\nurl,text\nu:2,b\n');
  });
});
