import { type Logger, pino } from 'pino';

/**
 * The log of the process, on standard output: JSON lines, or readable ones where a person looks at a terminal and
 * pino-pretty, a development dependency, is installed.
 */
export async function createLogger(level: string, isTerminal: boolean): Promise<Logger> {
  if (!isTerminal) return pino({ level });
  const pretty = await import('pino-pretty').then(
    (module) => module.PinoPretty,
    () => null,
  );
  if (pretty === null) return pino({ level });
  // sync: the last line before an exit must not be lost
  return pino({ level }, pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }));
}
