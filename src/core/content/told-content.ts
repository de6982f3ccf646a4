import type { MainMarks } from '../sketch/main-marks.ts';
import type { ComparedSample } from '../sketch/narrow.ts';
import type { HostTemplate } from '../template/host-template.ts';
import { OWN_SHINGLES_LEAST, type OwnContent, ownContentSteps } from './own-content.ts';

/*
 * Whether a document has a content of its own that says something: one rule for every call and command.
 *
 *   not-read     nothing says which of it is main
 *   too-little   something was taken off, and less than OWN_SHINGLES_LEAST is left
 */

/** By what documents are compared. */
export type ContentChoice = 'page' | 'main' | 'auto';

/** The marks of a record: null where all of it is main. */
export type ReadMarks = Pick<MainMarks, 'shingleCount' | 'bits'> | 'not-read' | null;

export interface ToldOwnContent<Of extends ComparedSample = ComparedSample> {
  readonly main: 'read' | 'whole' | 'not-read';
  readonly template: HostTemplate | null;
  readonly own: OwnContent<Of>;
  /** Why nothing true can be said of it; null where it can. */
  readonly unknown: 'not-read' | 'too-little' | null;
}

/**
 * The content of a document whose host has such a template, or none, in steps of some 10 ms at the most. Where its marks were
 * not read, all of it stands for it.
 */
export function* toldContentSteps<Of extends ComparedSample>(
  { main, shingleCount, sample }: { readonly main: ReadMarks; readonly shingleCount: number; readonly sample: Of },
  template: HostTemplate | null,
): Generator<undefined, ToldOwnContent<Of>> {
  if (main === 'not-read') {
    return { main, template, own: { shingleCount, isExact: true, sample }, unknown: main };
  }
  const own = yield* ownContentSteps({ shingleCount, sample, main }, template);
  const isLittle = (main !== null || template !== null) && isTooLittle(own);
  return { main: main === null ? 'whole' : 'read', template, own, unknown: isLittle ? 'too-little' : null };
}

const isTooLittle = ({ shingleCount, sample }: OwnContent): boolean =>
  shingleCount < OWN_SHINGLES_LEAST || sample.values.length === 0;
