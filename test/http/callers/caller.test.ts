import { describe, expect, it } from 'vitest';
import { addressFrom } from '../../../src/http/callers/caller.ts';
import { createHttpFixture } from '../../support/http/http-fixture.ts';

describe('an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:5678', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9'],
    ['64:ff9b::203.0.113.9', '203.0.113.9'],
    ['[::ffff:203.0.113.9]:80', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::7]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::7]', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
  ])('%s is counted as %s', (text, counted) => {
    expect(addressFrom(text)).toBe(counted);
  });

  it.each(['', 'unknown', '_hidden', '999.1.1.1', '1.2.3.4.5', '1.2.3.4:x', '[1.2.3.4', 'a'.repeat(800)])(
    '%j is none',
    (text) => {
      expect(addressFrom(text)).toBeNull();
    },
  );
});

describe('who calls', () => {
  const TWO_A_MINUTE = { rateLimitPerMinute: 2, trustProxy: ['127.0.0.1/32'] };

  async function asks(http: object, remoteAddress: string, forwarded: readonly (string | null)[]): Promise<number[]> {
    const fixture = await createHttpFixture({ http });
    const statuses: number[] = [];
    for (const address of forwarded) {
      const headers = address === null ? {} : { 'x-forwarded-for': address };
      statuses.push((await fixture.app.inject({ url: '/stats', headers, remoteAddress })).statusCode);
    }
    await fixture.close();
    return statuses;
  }

  it('is one however the address is written', async () => {
    const same = ['203.0.113.9', '::ffff:203.0.113.9', '203.0.113.9:8080'];
    expect(await asks(TWO_A_MINUTE, '127.0.0.1', same)).toEqual([200, 200, 429]);
    const network = ['2001:db8::1', '2001:db8::2', '2001:db8::ffff:3', '2001:db8:0:1::3'];
    expect(await asks(TWO_A_MINUTE, '127.0.0.1', network)).toEqual([200, 200, 429, 200]);
  });

  it('is who the trusted proxy says, and the proxy where it says nothing that is an address', async () => {
    const proxied = ['10.1.1.1', '10.1.1.2', '10.1.1.3', 'unknown', 'x', null];
    expect(await asks(TWO_A_MINUTE, '127.0.0.1', proxied)).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('is the address of the connection where nobody is trusted', async () => {
    const forged = ['10.1.1.1', '10.1.1.2', '10.1.1.3'];
    expect(await asks({ rateLimitPerMinute: 2 }, '127.0.0.1', forged)).toEqual([200, 200, 429]);
    expect(await asks(TWO_A_MINUTE, '192.0.2.1', forged)).toEqual([200, 200, 429]);
  });

  it('is the key, wherever it is used from', async () => {
    const keys = ['one', 'two'].map((name) => ({
      name,
      scopes: ['read'] as const,
      secret: `secret-of-${name}-012345`,
    }));
    const fixture = await createHttpFixture({ http: { ...TWO_A_MINUTE, apiKeys: keys } });
    const ask = async (name: string, address: string) => {
      const headers = { authorization: `Bearer secret-of-${name}-012345`, 'x-forwarded-for': address };
      return (await fixture.app.inject({ url: '/stats', headers })).statusCode;
    };
    expect([await ask('one', '10.1.1.1'), await ask('one', '10.1.1.2'), await ask('one', '10.1.1.3')]).toEqual([
      200, 200, 429,
    ]);
    expect(await ask('two', '10.1.1.1')).toBe(200);
    await fixture.close();
  });
});
