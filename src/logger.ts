import { type Logger, pino } from 'pino';
import { LOG_SERIALIZERS } from './http/told/logging.ts';

/** Fields of a line that {@link readable} has put into words. */
const IN_WORDS = ['pid', 'hostname', 'requestId', 'method', 'route', 'status', 'ms', 'code', 'key', 'aborted'];

/**
 * The log of the process, on standard output: JSON lines, or readable ones where a person looks at a terminal and
 * pino-pretty, a development dependency, is installed.
 */
export async function createLogger(level: string, isTerminal: boolean): Promise<Logger> {
  const options = { level, serializers: LOG_SERIALIZERS };
  if (!isTerminal) return pino(options);
  const pretty = await import('pino-pretty').then(
    (module) => module.PinoPretty,
    () => null,
  );
  if (pretty === null) return pino(options);
  const look = { ignore: IN_WORDS.join(), translateTime: 'SYS:HH:MM:ss', messageFormat: readable };
  // sync: the last line before an exit must not be lost
  return pino(options, pretty({ ...look, sync: true }));
}

/** `PUT /documents 201, 4.2 ms`; the request's id only where somebody may have been told it. */
export function readable(line: Readonly<Record<string, unknown>>): string {
  const { msg, requestId, method, route, status, ms, code, key, aborted } = line;
  const words = route === undefined ? [msg] : [`${method} ${route} ${status}`];
  if (code !== undefined) words.push(code);
  if (aborted === true) words.push('the client went away');
  if (ms !== undefined) words.push(`${ms} ms`);
  if (key !== undefined) words.push(`key ${key}`);
  if (requestId !== undefined && (route === undefined || Number(status) >= 400)) words.push(`request ${requestId}`);
  return words.join(', ');
}
