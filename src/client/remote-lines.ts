import { ShingledError } from '../errors.ts';
import type { ServiceClient } from './service-client.ts';

/*
 * Many questions, in requests of many lines, one after the other. Some services take fewer at a time (BULK_LINES_MAX, or
 * BULK_BYTES_MAX). Such a one refuses the request, or says of its answer that it is not complete. From then on requests have
 * half as many.
 */

/** Lines of a request: the service answers some thousand in a second. */
const QUESTIONS_MAX = 1000;

/** Every line of an answer begins with the number of its line, in its request. */
const NUMBERED = /^\{"line":(\d+)/;

/** @returns the lines that are answered, with their numbers among all */
export async function* remoteLines(
  client: ServiceClient,
  path: string,
  lines: AsyncIterable<string>,
): AsyncGenerator<string> {
  let before = 0;
  let most = QUESTIONS_MAX;
  for await (const batch of inBatches(lines)) {
    let done = 0;
    while (done < batch.length) {
      const part = batch.slice(done, done + most);
      const { answered, isComplete } = await ask(client, path, part);
      if (!isComplete && part.length > 1) {
        most = Math.ceil(part.length / 2);
        continue;
      }
      for (const line of answered) {
        yield line.replace(NUMBERED, (_all, number: string) => `{"line":${before + done + Number(number)}`);
      }
      done += part.length;
    }
    before += batch.length;
  }
}

/** What one request brings, without its summary. */
async function ask(client: ServiceClient, path: string, lines: readonly string[]) {
  const body = lines.map((line) => `${line}\n`).join('');
  try {
    const text = await client.text({ method: 'POST', path, body, contentType: 'application/x-ndjson' });
    const told = text.split('\n').filter((line) => line !== '');
    const isSummary = (line: string) => line.startsWith('{"summary"');
    const summary = told.find(isSummary) ?? '{"summary":{"complete":false}}';
    const { complete } = (JSON.parse(summary) as { summary: { complete: boolean } }).summary;
    return { answered: told.filter((line) => !isSummary(line)), isComplete: complete };
  } catch (error) {
    if (!(error instanceof ShingledError) || error.code !== 'body-too-large' || lines.length === 1) throw error;
    return { answered: [], isComplete: false };
  }
}

async function* inBatches(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < QUESTIONS_MAX) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
