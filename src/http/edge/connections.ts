import { BlockList, isIP, type Socket } from 'node:net';
import { addressFrom } from '../callers/caller.ts';
import type { Connection } from './connection.ts';
import { feedInPieces } from './feed.ts';

/*
 * Who is connected, and who has to go where places run short. Node itself would refuse the next one, were all the
 * others asleep.
 */

export interface PlaceLimits {
  readonly connectionsMax: number;
  /** 0 = no limit. */
  readonly connectionsPerAddressMax: number;
}

/** Looking for who has to go means looking at all, so it frees some places at once: one in so many. */
const FREED_SHARE = 128;

/** @param proxies networks whose connections are of many clients */
export class Connections {
  private readonly limits: PlaceLimits;
  private readonly isProxy: (address: string) => boolean;
  private readonly places = new Set<Connection>();
  private readonly perAddress = new Map<string, number>();
  private readonly bySocket = new WeakMap<Socket, Connection>();

  constructor(limits: PlaceLimits, proxies: readonly string[]) {
    this.limits = limits;
    this.isProxy = networkTest(proxies);
  }

  of(socket: Socket): Connection | undefined {
    return this.bySocket.get(socket);
  }

  /**
   * Gives a new connection its place, or destroys it. Where there is none left, of all or of its address, others are
   * closed. First go those that have been asleep longest, then those in the midst of a request's head, then those that
   * wait for their client. What waits for us is never closed.
   */
  admit(socket: Socket): void {
    const { remoteAddress = '' } = socket;
    const address = this.isProxy(remoteAddress) ? null : (addressFrom(remoteAddress) ?? remoteAddress);
    const { connectionsMax, connectionsPerAddressMax } = this.limits;
    const ofAddress = address === null || connectionsPerAddressMax === 0 ? 0 : (this.perAddress.get(address) ?? 0);
    if (ofAddress > 0 && ofAddress >= connectionsPerAddressMax) {
      this.makeRoom(connectionsPerAddressMax, (connection) => connection.address === address);
      if ((this.perAddress.get(address!) ?? 0) >= connectionsPerAddressMax) {
        socket.destroy();
        return;
      }
    }
    if (this.places.size >= connectionsMax) this.makeRoom(connectionsMax, () => true);
    if (this.places.size >= connectionsMax) {
      socket.destroy();
      return;
    }
    const changedAt = performance.now();
    const connection: Connection = {
      socket,
      address,
      current: null,
      waiting: [],
      requests: 0,
      ended: false,
      changedAt,
      bytesThen: 0,
    };
    this.places.add(connection);
    this.bySocket.set(socket, connection);
    if (address !== null) this.perAddress.set(address, (this.perAddress.get(address) ?? 0) + 1);
    socket.once('close', () => this.leave(connection));
    feedInPieces(connection);
  }

  private makeRoom(max: number, among: (connection: Connection) => boolean): void {
    const candidates: { readonly connection: Connection; readonly rank: number }[] = [];
    for (const connection of this.places) {
      const rank = among(connection) ? rankOf(connection) : null;
      if (rank !== null) candidates.push({ connection, rank });
    }
    candidates.sort((a, b) => a.rank - b.rank || a.connection.changedAt - b.connection.changedAt);
    for (const { connection } of candidates.slice(0, Math.ceil(max / FREED_SHARE))) {
      connection.socket.destroy();
      // at once: Node tells of the end only after all who knock have been let in
      this.leave(connection);
    }
  }

  private leave(connection: Connection): void {
    if (!this.places.delete(connection)) return;
    const { address } = connection;
    if (address === null) return;
    const left = this.perAddress.get(address)! - 1;
    if (left > 0) this.perAddress.set(address, left);
    else this.perAddress.delete(address);
  }
}

/** How readily a connection is given up, 0 first; null where somebody waits for us. */
function rankOf({ socket, current, bytesThen }: Connection): number | null {
  if (current === null) return socket.bytesRead === bytesThen ? 0 : 1;
  const { request, response } = current;
  const unread = response.writableEnded;
  const unsent = !request.complete && request.readableLength === 0;
  return unread || unsent ? 2 : null;
}

function networkTest(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => false;
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string];
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}
