import type { IndexAccess } from '../../client/port.ts';
import { ShingledError } from '../../errors.ts';
import type { Where } from '../cli-commands.ts';
import { type CliContext, type Given, UsageError } from '../command.ts';
import type { OptionName } from '../command-options.ts';
import { EXIT_CODES, explain } from '../exit-codes.ts';
import { readable } from '../texts.ts';

/**
 * Opens the index that the command line names, and closes it again.
 *
 * @throws UsageError where both a folder and a service are named
 */
export function withIndex<T>(
  given: Given,
  { commands }: Pick<CliContext, 'commands'>,
  use: (index: IndexAccess) => Promise<T>,
): Promise<T> {
  return withOpened(given, (where) => commands.open({ ...where, mustExist: true }), use);
}

/** The same, opened in another way. */
export async function withOpened<I extends Pick<IndexAccess, 'close'>, T>(
  given: Given,
  open: (where: Omit<Where, 'mustExist'>) => Promise<I>,
  use: (index: I) => Promise<T>,
): Promise<T> {
  const index = await open(whereOf(given));
  try {
    return await use(index);
  } finally {
    await index.close();
  }
}

/** Which index the command line names. @throws UsageError where both a folder and a service are named */
export function whereOf(given: Given): Omit<Where, 'mustExist'> {
  const { dataDir } = given;
  const [server, keyFile] = [given.text('server'), given.text('key-file')];
  if (server !== null && dataDir !== null)
    throw new UsageError('--data-dir does not go with --server: an index is in a folder or behind a service');
  if (server === null && keyFile !== null)
    throw new UsageError('--key-file needs --server: an index in a folder has no key');
  return { dataDir, server, keyFile };
}

/** @throws UsageError for an option that has no effect beside another one */
export function refuseBeside(given: Given, option: OptionName, others: readonly OptionName[]): void {
  const other = others.find((name) => given.text(name) !== null || given.has(name));
  if (other === undefined) return;
  throw new UsageError(`--${other} does not go with --${option}: each line of that file has its own options`);
}

/**
 * Asks of each operand, one after the other. What is refused of several is told, and the others are asked all the same.
 *
 * @param field what an operand is called in a line of JSON
 * @param ask shows its answer
 * @returns the exit code
 */
export async function askEach(
  given: Given,
  { streams }: Pick<CliContext, 'streams'>,
  field: 'document' | 'url',
  ask: (operand: string) => Promise<void>,
): Promise<number> {
  let failed = 0;
  for (const operand of given.operands) {
    try {
      await ask(operand);
    } catch (error) {
      if (!(error instanceof ShingledError) || given.operands.length === 1) throw error;
      failed++;
      const { code, message: detail } = error;
      if (given.json) streams.out(`${JSON.stringify({ [field]: operand, code, detail })}\n`);
      else streams.err(readable(`${operand}: ${explain(error)}`));
    }
  }
  return failed === 0 ? EXIT_CODES.done : EXIT_CODES.refused;
}
