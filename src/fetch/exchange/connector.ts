import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Deadline, withDeadline } from '../../sharing/deadline.ts';
import { createWaiter } from '../../sharing/waiting.ts';
import { type FailureReason, fetchFailed } from '../failure.ts';
import { type AddressPolicy, canonicalAddress } from './address-policy.ts';
import type { Resolver } from './name-resolver.ts';
import type { Target } from './target.ts';

/*
 * The one file from which this process connects to other hosts.
 *
 *   hostname ── literal? ── yes ───────────────┐
 *                  no ── resolve, once ── addresses ── every one permitted? ── dial these, no look-up ── peer permitted?
 *
 * undici does not ask its `lookup` hook for literal addresses, so http://127.0.0.1/ passes a check there. A name that
 * resolves differently the second time passes a check before the request. Here the addresses checked are the addresses
 * dialled. One address that is not permitted refuses the name: a mixed answer is how an attacker has the second address
 * tried once the first fails.
 */

export interface ConnectorOptions {
  readonly policy: AddressPolicy;
  readonly resolver: Resolver;
  readonly ownAddresses: () => readonly string[];
  /** Ports that the service itself listens on. */
  readonly ownPorts: () => readonly number[];
  readonly connectTimeoutMs: number;
}

/** Resolves with a connected socket, for https after the handshake and its certificate check. */
export type Connector = (target: Target, signal: AbortSignal) => Promise<Socket>;

/** Addresses of one name that are tried. */
const DIALLED_MAX = 4;
/** How much of the connect timeout one of several addresses may use up. */
const ATTEMPT_MS = 1000;

/** @throws ShingledError `fetch-failed`, or the reason of `signal` */
export function createConnector(options: ConnectorOptions): Connector {
  const { policy, resolver, connectTimeoutMs } = options;

  return (target, signal) => {
    const { hostname, port } = target;
    const connect = async (deadline: Deadline) => {
      const own = {
        addresses: new Set(options.ownAddresses().flatMap((address) => canonicalAddress(address) ?? [])),
        ports: options.ownPorts(),
      };
      const addresses = await deadline.race(addressesOf(hostname, resolver));
      if (!addresses.every((address) => policy.permits(address, port, own))) throw fetchFailed('address', hostname);
      const socket = await dial(target, addresses.slice(0, DIALLED_MAX), deadline);
      if (!policy.permits(socket.remoteAddress ?? '', port, own)) {
        socket.destroy();
        throw fetchFailed('address', hostname);
      }
      return target.url.protocol === 'https:' ? shakeHands(socket, hostname, deadline) : socket;
    };
    return withDeadline(connectTimeoutMs, signal, connect, () => fetchFailed('connect-timeout', hostname));
  };
}

async function addressesOf(hostname: string, resolver: Resolver): Promise<readonly string[]> {
  if (isIP(hostname) !== 0) return [hostname];
  const addresses = await resolver.resolve(hostname).catch((error: unknown) => {
    throw fetchFailed('dns', hostname, error);
  });
  if (addresses.length === 0) throw fetchFailed('dns', hostname);
  return addresses;
}

function dial({ hostname, port }: Target, addresses: readonly string[], deadline: Deadline): Promise<Socket> {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  const socket = connectTcp({
    host: addresses.length === 1 ? addresses[0]! : hostname,
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    noDelay: true,
    lookup: (_hostname, _options, done) => done(null, pinned),
  });
  return ready(socket, 'connect', 'connect', hostname, deadline);
}

function shakeHands(plain: Socket, hostname: string, deadline: Deadline): Promise<Socket> {
  const socket = connectTls({
    socket: plain,
    host: hostname,
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ALPNProtocols: ['http/1.1'],
    // said aloud, because an environment variable can change the default
    rejectUnauthorized: true,
  });
  return ready(socket, 'secureConnect', 'tls', hostname, deadline);
}

async function ready(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  reason: FailureReason,
  hostname: string,
  deadline: Deadline,
): Promise<Socket> {
  const { promise, resolve, reject } = createWaiter<void>();
  socket.once(event, resolve).once('close', () => reject(fetchFailed(reason, hostname)));
  // The error listener stays for good: a socket may fail once more after it was given up.
  socket.on('error', (error) => reject(fetchFailed(reason, hostname, error)));
  try {
    await deadline.race(promise);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
