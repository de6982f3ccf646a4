import { afterEach, describe, expect, it } from 'vitest';
import { createResolver, withNameRules } from '../../../src/fetch/exchange/name-resolver.ts';
import { type DnsServer, startDnsServer } from '../../support/fetch/dns-server.ts';

const SERVFAIL = 2;
const NXDOMAIN = 3;
const V6 = '2001:0db8:0000:0000:0000:0000:0000:0001';
let server: DnsServer;
const servers: DnsServer[] = [];

afterEach(() => {
  for (const each of servers.splice(0)) each.close();
});

async function resolve(name: string, ...[answer]: Parameters<typeof startDnsServer>) {
  server = await startDnsServer(answer);
  servers.push(server);
  return createResolver([server.address]).resolve(name);
}

describe('the resolver', () => {
  it('gives all addresses of both kinds', async () => {
    const addresses = await resolve('a.example', (type) => (type === 'A' ? ['192.0.2.1', '192.0.2.2'] : [V6]));
    expect(addresses).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
  });

  it.each([NXDOMAIN, SERVFAIL])('makes do with one kind where the other fails with %i', async (code) => {
    expect(await resolve('a.example', (type) => (type === 'A' ? code : [V6]))).toEqual(['2001:db8::1']);
    expect(await resolve('a.example', (type) => (type === 'A' ? ['192.0.2.1'] : code))).toEqual(['192.0.2.1']);
  });

  it('rejects a name that does not exist, or has no address', async () => {
    await expect(resolve('a.example', () => NXDOMAIN)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolve('a.example', () => [])).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it('gives up a name server that says nothing, after two tries for each kind', async () => {
    await expect(resolve('a.example', () => 'silent')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    expect([...server.questions].sort()).toEqual(['A a.example', 'A a.example', 'AAAA a.example', 'AAAA a.example']);
  });

  it('asks for the very name, in no search domain and no file of hosts', async () => {
    await expect(resolve('localhost', () => NXDOMAIN)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(new Set(server.questions)).toEqual(new Set(['A localhost', 'AAAA localhost']));
  });
});

describe('the rules for names', () => {
  const asked = { resolve: (name: string) => Promise.resolve([name]) };

  it.each([
    ['localhost', false, ['127.0.0.1']],
    ['a.localhost', false, ['127.0.0.1']],
    ['localhost', true, ['127.0.0.1']],
    ['notlocalhost', false, []],
    ['wiki', false, []],
    ['wiki', true, ['wiki']],
    ['a.example', false, ['a.example']],
    ['localhost.example', false, ['localhost.example']],
  ] as const)('make of %s, inside names %j: %j', async (name, insideNames, addresses) => {
    expect(await withNameRules(asked, insideNames).resolve(name)).toEqual(addresses);
  });
});
