import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { runSsrfCampaign } from '../campaigns/ssrf.ts';

const isLinux = networkInterfaces()['lo'] !== undefined;

describe.skipIf(!isLinux)('1,000 generated attempts to reach a private host (many in campaigns/ssrf.ts)', () => {
  it('reach none, by address, name, mixed answer, rebinding, scheme or redirect', async () => {
    const { hits, fetched, ends, relayed } = await runSsrfCampaign(1000, 20);
    expect(hits).toEqual([]);
    expect(fetched).toEqual([]);
    expect(relayed).toBeGreaterThan(500);
    const failed = [...ends].filter(([end]) => end.endsWith(': fetch-failed')).map(([end]) => end.split(':')[0]);
    for (const kind of ['address', 'name', 'mixed-answer', 'rebinding', 'scheme by redirect'])
      expect(failed).toContain(kind);
  });

  it('would be seen: with loopback allowed the same cases touch the canaries', async () => {
    const { hits, fetched } = await runSsrfCampaign(300, 20, ['127.0.0.0/8']);
    expect(hits).toContain('canary 127.0.0.1');
    expect(hits.filter((hit) => !/^(canary )?127\./.test(hit))).toEqual([]);
    expect(fetched.length).toBeGreaterThan(10);
  });
});
