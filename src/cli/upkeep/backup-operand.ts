import { type Given, UsageError } from '../command.ts';

/** The folder of a backup, null where none was named. @throws UsageError for one without a name */
export function backupOperand(command: string, { operands: [folder] }: Given): string | null {
  if (folder === '') throw lacking(command);
  return folder ?? null;
}

/** @throws UsageError where none was named */
export function neededBackup(command: string, given: Given): string {
  const folder = backupOperand(command, given);
  if (folder === null) throw lacking(command);
  return folder;
}

const lacking = (command: string) => new UsageError(`${command} needs the folder of a backup`);
