export interface Instruction {
  readonly word: string;
  readonly rest: string;
}

/** The stages of a Dockerfile, first to last, each beginning with its FROM; comments gone, continued lines joined. */
export function stagesOf(text: string): Instruction[][] {
  const stages: Instruction[][] = [];
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  for (const line of lines) {
    const instruction = { word: line.split(' ')[0]!, rest: line.slice(line.indexOf(' ') + 1) };
    if (instruction.word === 'FROM') stages.push([]);
    stages.at(-1)!.push(instruction);
  }
  return stages;
}

/** The files that a stage copies from the build context. */
export function copiedFiles(stage: readonly Instruction[]): string[] {
  return stage
    .filter(({ word, rest }) => word === 'COPY' && !rest.startsWith('--from'))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
}

/** The last ENV of a stage as pairs. */
export function environmentOf(stage: readonly Instruction[]): Record<string, string> {
  const pairs = stage.filter(({ word }) => word === 'ENV').flatMap(({ rest }) => rest.split(' '));
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
}

/** The command of CMD, or of HEALTHCHECK, in its list form. */
export function commandOf(stage: readonly Instruction[], word: 'CMD' | 'HEALTHCHECK'): string[] {
  const { rest } = stage.find((instruction) => instruction.word === word)!;
  return JSON.parse(rest.slice(rest.indexOf('['))) as string[];
}
