/** What helps a command that may not read or write a file. */
export const RIGHTS_ADVICE =
  'Run the command as the user that the service runs as, or give this one the right to read and write there.';

/** Whether an error code of the system says that this user may not. */
export const isRefusal = (code: unknown): boolean => code === 'EACCES' || code === 'EPERM';
