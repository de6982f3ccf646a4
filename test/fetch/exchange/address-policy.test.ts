import { describe, expect, it } from 'vitest';
import { canonicalAddress, createAddressPolicy } from '../../../src/fetch/exchange/address-policy.ts';
import { boundaryAddresses, randomAddresses, type SampleAddress } from '../../support/fetch/address-oracle.ts';

const own = (addresses: readonly string[], ports: readonly number[] = []) => ({
  addresses: new Set(addresses.map((address) => canonicalAddress(address)!)),
  ports,
});
const NOBODY = own([]);
const policyOf = (privateAllowed: readonly string[], denied: readonly string[] = []) =>
  createAddressPolicy({ privateAllowed, denied });
const publicOnly = policyOf([]);
const permits = (address: string, allowed: readonly string[] = [], denied: readonly string[] = []) =>
  policyOf(allowed, denied).permits(address, 80, NOBODY);

const EVERYTHING = ['0.0.0.0/0', '::/0', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48'];

function disagreements(addresses: readonly SampleAddress[]): string[] {
  return addresses
    .filter(({ text, isPublic }) => publicOnly.permits(text, 80, NOBODY) !== isPublic)
    .map(({ text }) => text);
}

describe('the address policy', () => {
  it('agrees with an independent oracle at every boundary of every range', () => {
    const addresses = boundaryAddresses();
    expect(addresses.length).toBeGreaterThan(200);
    expect(addresses.some(({ isPublic }) => isPublic)).toBe(true);
    expect(disagreements(addresses)).toEqual([]);
  });

  it('agrees with the oracle on 100,000 random addresses', () => {
    const addresses = randomAddresses(100_000, 4);
    const ofPublic = addresses.filter(({ isPublic }) => isPublic).length;
    expect(ofPublic).toBeGreaterThan(30_000);
    expect(ofPublic).toBeLessThan(70_000);
    expect(disagreements(addresses)).toEqual([]);
  });

  it.each([
    ...['127.0.0.1', '0.0.0.0', '10.1.2.3', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.100.100.200'],
    ...['192.0.0.192', '168.63.129.16', '255.255.255.255', '::', '::1', '::127.0.0.1', '::ffff:127.0.0.1'],
    ...['::ffff:7f00:1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '2002:7f00:1::'],
    ...['2001:0:7f00:1::', 'fe80::1', 'fd00:ec2::254', 'fd20:ce::254', 'ff02::1', '2001:db8::1'],
  ])('refuses %s', (address) => {
    expect(permits(address)).toBe(false);
  });

  it.each(['8.8.8.8', '1.1.1.1', '168.63.129.15', '2606:4700:4700::1111', '2001:4860:4860::8888'])(
    'permits %s',
    (address) => {
      expect(permits(address)).toBe(true);
    },
  );

  it.each([
    ...['', 'localhost', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '8.8.8', '8.8.8.8.', '8.8.8.8/32', ' 8.8.8.8'],
    ...['2606:4700:4700::1111%eth0', 'fe80::1%lo', '[2606:4700:4700::1111]', '1:2:3', '::g'],
  ])('refuses %j, which is no plain address', (address) => {
    expect(permits(address, ['0.0.0.0/0', '::/0'])).toBe(false);
  });

  it('permits what the allow-list names, and nothing beside it', () => {
    const allowed = ['10.20.0.0/16', 'fd12::/16', '127.0.0.1/32'];
    const answers = ['10.20.255.255', '10.21.0.0', 'fd12::1', 'fd13::1', '127.0.0.1', '127.0.0.2', '8.8.8.8'].map(
      (address) => permits(address, allowed),
    );
    expect(answers).toEqual([true, false, true, false, true, false, true]);
  });

  it('judges an IPv4 address in an IPv6 one by both, so that a wide allow-list opens no way round', () => {
    expect(permits('::ffff:127.0.0.1', ['::/0'])).toBe(false);
    expect(permits('::ffff:127.0.0.1', ['127.0.0.0/8'])).toBe(false);
    expect(permits('::ffff:127.0.0.1', ['::ffff:0:0/96', '127.0.0.0/8'])).toBe(true);
    expect(permits('64:ff9b::10.0.0.1', ['64:ff9b::/96'])).toBe(false);
    expect(permits('64:ff9b::8.8.8.8', ['64:ff9b::/96'])).toBe(true);
  });

  it("refuses the machine's own addresses in any spelling, unless the allow-list names them", () => {
    const machine = own(['203.1.2.3', '2606:4700::ABCD']);
    expect(publicOnly.permits('203.1.2.3', 80, machine)).toBe(false);
    expect(publicOnly.permits('203.1.2.4', 80, machine)).toBe(true);
    expect(publicOnly.permits('2606:4700:0:0::abcd', 80, machine)).toBe(false);
    expect(policyOf(['203.1.2.3/32']).permits('203.1.2.3', 80, machine)).toBe(true);
  });

  it.each([
    ...['0.0.0.0', '0.1.2.3', '169.254.169.254', '169.254.0.1', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
    ...['224.0.0.1', '239.255.255.255', '255.255.255.255', '::', 'fe80::1', 'ff02::1', 'fd00:ec2::254', 'fd20:ce::254'],
    ...['::ffff:169.254.169.254', '64:ff9b::169.254.169.254', '64:ff9b:1::a9fe:a9fe', '::ffff:0.0.0.0'],
  ])('opens %s by no setting', (address) => {
    expect(permits(address, EVERYTHING)).toBe(false);
    const exact = canonicalAddress(address)!;
    expect(permits(address, [...EVERYTHING, `${exact}/${exact.includes(':') ? 128 : 32}`])).toBe(false);
  });

  it('opens all else that is allowed, but loopback only where it is meant', () => {
    for (const address of ['10.0.0.1', '100.100.100.201', '192.168.1.1', '240.0.0.1', 'fd00::1', 'fec0::1', '100::1'])
      expect([address, permits(address, EVERYTHING)]).toEqual([address, true]);
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
      expect(permits(address, EVERYTHING)).toBe(false);
      expect(permits(address, [...EVERYTHING, '127.0.0.0/7', '::/127'])).toBe(false);
      expect(permits(address, [...EVERYTHING, '127.0.0.0/8', '::1/128'])).toBe(true);
    }
    expect(permits('127.0.0.2', ['127.0.0.1/32'])).toBe(false);
  });

  it('refuses what the operator denies, though it is public or allowed, in any spelling', () => {
    const denied = ['8.8.8.0/24', '10.20.0.0/16', '2606:4700::/32'];
    const refused = [
      '8.8.8.8',
      '10.20.0.1',
      '2606:4700::1',
      '::ffff:8.8.8.8',
      '64:ff9b::8.8.8.8',
      '64:ff9b::10.20.0.1',
    ];
    for (const address of refused) expect(permits(address, EVERYTHING, denied)).toBe(false);
    for (const address of ['8.8.9.8', '10.21.0.1', '2606:4701::1', '::ffff:8.8.9.9'])
      expect(permits(address, EVERYTHING, denied)).toBe(true);
    expect(permits('::ffff:8.8.8.8', EVERYTHING, ['::ffff:0:0/96'])).toBe(false);
    expect(permits('127.0.0.1', ['127.0.0.1/32'], ['127.0.0.0/8'])).toBe(false);
  });

  it('never leads back to the service: not to this machine at the port that it listens on, by any address', () => {
    const machine = own(['10.0.0.5', 'fd12::5', '203.1.2.3'], [8080]);
    const policy = policyOf([...EVERYTHING, '127.0.0.0/8', '::1/128']);
    for (const address of ['127.0.0.1', '127.1.2.3', '::1', '10.0.0.5', 'fd12::5', '203.1.2.3', '::ffff:10.0.0.5']) {
      expect([address, policy.permits(address, 8080, machine)]).toEqual([address, false]);
      expect([address, policy.permits(address, 8081, machine)]).toEqual([address, true]);
    }
    expect(policy.permits('10.0.0.6', 8080, machine)).toBe(true);
  });

  it.each([
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0/8',
    '0x0a.0.0.0/8',
    'fd00::/129',
    'fe80::%1/64',
    'host/8',
    '/8',
    '10.0.0.0/',
  ])('refuses %j as a network', (network) => {
    const refusal = (field: string) => expect.objectContaining({ code: 'invalid-config', field });
    expect(() => policyOf([network])).toThrow(refusal('privateAllowed'));
    expect(() => policyOf([], [network])).toThrow(refusal('denied'));
  });
});
