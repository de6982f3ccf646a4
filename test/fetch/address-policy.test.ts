import { describe, expect, it } from 'vitest';
import { canonicalAddress, createAddressPolicy } from '../../src/fetch/address-policy.ts';
import { boundaryAddresses, randomAddresses, type SampleAddress } from '../support/address-oracle.ts';

const NONE: ReadonlySet<string> = new Set();
const publicOnly = createAddressPolicy([]);
const permits = (address: string, allowed: readonly string[] = []) =>
  createAddressPolicy(allowed).permits(address, NONE);

function disagreements(addresses: readonly SampleAddress[]): string[] {
  return addresses.filter(({ text, isPublic }) => publicOnly.permits(text, NONE) !== isPublic).map(({ text }) => text);
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
    const policy = createAddressPolicy(['10.20.0.0/16', 'fd12::/16', '127.0.0.1/32']);
    const answers = ['10.20.255.255', '10.21.0.0', 'fd12::1', 'fd13::1', '127.0.0.1', '127.0.0.2', '8.8.8.8'].map(
      (address) => policy.permits(address, NONE),
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
    const own = new Set(['203.1.2.3', '2606:4700::ABCD'].map((address) => canonicalAddress(address)!));
    expect(publicOnly.permits('203.1.2.3', own)).toBe(false);
    expect(publicOnly.permits('203.1.2.4', own)).toBe(true);
    expect(publicOnly.permits('2606:4700:0:0::abcd', own)).toBe(false);
    expect(createAddressPolicy(['203.1.2.3/32']).permits('203.1.2.3', own)).toBe(true);
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
    expect(() => createAddressPolicy([network])).toThrow(
      expect.objectContaining({ code: 'invalid-config', field: 'privateAllowed' }),
    );
  });
});
