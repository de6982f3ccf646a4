import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { addressFrom } from '../callers/caller.ts';
import type { HttpLimits } from '../limits.ts';

/*
 * Who is connected, and who has to go where places run short. Node itself would refuse the next one, were all the
 * others asleep.
 */

/** A request, its answer, and who makes it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly listener: RequestListener;
}

export interface Connection {
  readonly socket: Socket;
  /** Who is at the other end, as addresses are counted; null for a trusted proxy, which speaks for many. */
  readonly address: string | null;
  /** The request that is being answered, null between requests. */
  current: Exchange | null;
  readonly waiting: Exchange[];
  /** All that came so far. */
  requests: number;
  /** Nothing that comes is looked at any more: an answer that closes it is on its way. */
  ended: boolean;
  /** When it was opened, a request was last begun or an answer was last out; by `performance.now()`. */
  changedAt: number;
  /** Bytes that had come by then. */
  bytesThen: number;
}

export type PlaceLimits = Pick<HttpLimits, 'connectionsMax' | 'connectionsPerAddressMax'>;

/** Looking for who has to go means looking at all, so it frees some places at once: one in so many. */
const FREED_SHARE = 128;

/** @param proxies networks whose connections are of many clients */
export class Connections {
  private readonly limits: PlaceLimits;
  private readonly isProxy: (address: string) => boolean;
  private readonly open = new Set<Connection>();
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
    if (this.open.size >= connectionsMax) this.makeRoom(connectionsMax, () => true);
    if (this.open.size >= connectionsMax) {
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
    this.open.add(connection);
    this.bySocket.set(socket, connection);
    if (address !== null) this.perAddress.set(address, (this.perAddress.get(address) ?? 0) + 1);
    socket.once('close', () => this.leave(connection));
    feedInPieces(connection);
  }

  private makeRoom(max: number, among: (connection: Connection) => boolean): void {
    const candidates: { readonly connection: Connection; readonly rank: number }[] = [];
    for (const connection of this.open) {
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
    if (!this.open.delete(connection)) return;
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

/*
 * The bytes of a connection on their way to Node's parser. Left alone, the parser makes requests of all that one read
 * brings. 64 KiB hold 3,000 of them, which take 20 ms and 12 MB before anybody can say no. It is handed pieces instead,
 * each with a few requests, and none while a request waits for the one before it.
 */

/** A piece has at least so many bytes, and goes on to the next end of a head: a request takes at least 18. */
const PIECE_BYTES = 512;

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Replaces Node's own reading of a new connection.
 *
 * What is not handed on goes back into the socket, whose buffer stops reading when it is full. The parser is given the
 * same bytes in the same order: where a piece ends means nothing to it.
 */
function feedInPieces(connection: Connection): void {
  const { socket, waiting } = connection;
  const [parse, ...others] = socket.listeners('data') as ((piece: Buffer) => void)[];
  if (parse === undefined || others.length > 0) throw new Error('this Node reads connections in another way');
  socket.removeListener('data', parse);
  socket.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length && !socket.destroyed && !connection.ended; ) {
      if (waiting.length > 0) socket.pause();
      if (socket.isPaused()) {
        socket.unshift(chunk.subarray(at));
        return;
      }
      const headEnd = chunk.indexOf(HEAD_END, at + PIECE_BYTES);
      const end = headEnd < 0 ? chunk.length : headEnd + HEAD_END.length;
      parse(chunk.subarray(at, end));
      at = end;
    }
  });
}
