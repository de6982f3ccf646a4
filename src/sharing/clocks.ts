/** ms that never go back. */
export interface Clocks {
  /** What time it is. */
  readonly now: () => number;
  /** How much of a core this thread has had: no caller pays for the time that another process, or a thread, had instead. */
  readonly worked: () => number;
}

/** The clocks of this thread. */
export const CLOCKS: Clocks = {
  now: () => performance.now(),
  worked: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
};
