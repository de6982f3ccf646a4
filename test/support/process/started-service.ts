import { type SpawnedService, spawnShingled } from './spawn-service.ts';

/** Runs a command line to its end. */
export async function run(args: string[], environment: Record<string, string>) {
  const spawned = spawnShingled(args, environment);
  const { code } = await spawned.ended;
  return { code, out: spawned.stdout(), err: spawned.stderr() };
}

/** Indexes a plain text. */
export function put(service: Pick<SpawnedService, 'url'>, url: string, text: string): Promise<Response> {
  return fetch(`${service.url}/documents?url=${encodeURIComponent(url)}`, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: text,
  });
}
