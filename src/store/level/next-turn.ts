/** Lets everything else that waits for the event loop go first. */
export const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));
