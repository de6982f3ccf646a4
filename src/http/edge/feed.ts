import type { Connection } from './connection.ts';

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
export function feedInPieces(connection: Connection): void {
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
