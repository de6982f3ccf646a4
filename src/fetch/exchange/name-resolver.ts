import { Resolver as CAresResolver } from 'node:dns/promises';

/** Names to addresses. */
export interface Resolver {
  /** Every address of the name, IPv4 and IPv6; empty or a rejection where there is none. */
  resolve(hostname: string): Promise<readonly string[]>;
}

/**
 * Asks the name servers of the machine through c-ares: 1 s a try, 2 tries.
 *
 * Not dns.lookup: its getaddrinfo blocks threads that the whole process shares (8 dead look-ups took 40 s). And it
 * knows /etc/hosts and search domains, by which a short name in a URL becomes a host of the inside network.
 *
 * @param servers `address:port` of other name servers than the machine's
 */
export function createResolver(servers: readonly string[] = []): Resolver {
  const resolver = new CAresResolver({ timeout: 1000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return {
    async resolve(hostname) {
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      const failed = answers.find((answer) => answer.status === 'rejected');
      if (addresses.length === 0 && failed !== undefined) throw failed.reason;
      return addresses;
    },
  };
}

/**
 * Names that no name server is asked for (RFC 6761, §6.3): localhost and what ends in it is 127.0.0.1. A name without a
 * dot belongs to an inside network, so it has no address unless `insideNames` (an allow-list of private networks is set).
 */
export function withNameRules(resolver: Resolver, insideNames: boolean): Resolver {
  return {
    resolve(hostname) {
      if (/(^|\.)localhost$/.test(hostname)) return Promise.resolve(['127.0.0.1']);
      if (!insideNames && !hostname.includes('.')) return Promise.resolve([]);
      return resolver.resolve(hostname);
    },
  };
}
