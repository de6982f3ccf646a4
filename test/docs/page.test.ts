import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../src/page/address/view-address.ts';
import type { ClusterAnswer } from '../../src/service/clusters/cluster-api.ts';
import { docSteps, runDoc } from '../support/docs/doc-runner.ts';
import { serveHere } from '../support/process/run-here.ts';
import { temporaryFolder } from '../support/temp-folder.ts';
import { readText, root } from '../support/tree/tree.ts';

describe('docs/page.md', () => {
  it('finds what it says is there to look at', async () => {
    const page = readText('docs/page.md');
    const service = await serveHere({ DATA_DIR: `${temporaryFolder()}/data` });
    expect(docSteps(page)).toHaveLength(1);
    expect(await runDoc(page, service.url, { cwd: root })).toEqual([]);
    const addresses = [...page.matchAll(/<http:\/\/localhost:8080\/(#[^>]+)>/g)].map((match) =>
      parseAddress(match[1]!),
    );
    expect(addresses.map(({ view }) => view)).toEqual(['ask', 'family']);
    for (const { params } of addresses) {
      const asked = new URLSearchParams({ url: params['url']!, threshold: params['threshold'] ?? '0.6' });
      const { index } = (await (await fetch(`${service.url}/clusters?${asked}`)).json()) as ClusterAnswer;
      expect(index!.contentCount).toBeGreaterThan(20);
    }
  });
});
