import { connect } from 'node:net';
import { setPriority } from 'node:os';

/*
 * The attacker of bench/pipelining.ts, in a process of its own: many requests at once on each of many connections. It takes
 * what the others leave of the two cores; an attacker would bring his own.
 */

setPriority(19);
const [port, connections, requests, mode, request] = process.argv.slice(2) as [string, string, string, string, string];
const bytes = Buffer.from(request.repeat(Number(requests)));
for (let opened = 0; opened < Number(connections); opened++) {
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  socket.once('connect', () => process.stdout.write('connected\n'));
  if (mode === 'read') socket.resume();
  else socket.pause();
  socket.write(bytes);
}
