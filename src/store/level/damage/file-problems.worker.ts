import { parentPort, workerData } from 'node:worker_threads';
import { type FileProblem, fileProblems } from '../files/verify.ts';

/* One pass over the files of a database, in a thread: its checksums would take a tenth of the event loop for as long. */

export interface PassData {
  /** The folder of the database. */
  readonly location: string;
  /** Files that need not be looked at. */
  readonly seen: Set<string>;
}

/** Each problem as it is found; last of all which files were looked at, in this pass or before. */
export type PassNews = { readonly found: FileProblem } | { readonly seen: Set<string> };

const { location, seen } = workerData as PassData;
const port = parentPort!;
const tell = (news: PassNews) => port.postMessage(news);

// it rests between its turns, which keeps no thread
port.ref();
for await (const found of fileProblems(location, 'gentle', seen)) tell({ found });
tell({ seen });
port.close();
