/*
 * The order in which the pieces of a line are read. A PDF file shows a line of Arabic or Hebrew from left to right, often
 * letter by letter; what stands furthest to the right is read first.
 *
 *   shown   [ה] [ ] [1948] [ ] [שנת]       each piece is in the order of reading in itself, by pdf.js
 *   read    [שנת] [ ] [1948] [ ] [ה]       what runs from left to right stays so, with what is between: 12 May 1948
 */

/** A piece of a line: its text, and how far to the right it begins. */
export interface LinePiece {
  readonly text: string;
  readonly x: number;
}

const RIGHT_TO_LEFT = /[[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]&&\p{L}]/v;
const LEFT_TO_RIGHT = /[\p{L}\p{Nd}]/u;

/** The text of a line that holds these pieces, as they are shown. Cost: that of sorting those of a line from right to left. */
export function readLine(pieces: readonly LinePiece[]): string {
  const texts = runsRightToLeft(pieces) ? fromTheRight(pieces) : pieces.map(({ text }) => text);
  return texts.join('');
}

/** Whether a line has more letters of scripts that run so than others. */
function runsRightToLeft(pieces: readonly LinePiece[]): boolean {
  let [right, left] = [0, 0];
  for (const { text } of pieces) {
    if (RIGHT_TO_LEFT.test(text)) right += text.length;
    else if (LEFT_TO_RIGHT.test(text)) left += text.length;
  }
  return right > left;
}

function fromTheRight(pieces: readonly LinePiece[]): string[] {
  const texts = pieces.toSorted((one, other) => other.x - one.x).map(({ text }) => text);
  const ordered: string[] = [];
  // pieces that run from left to right, and those behind them of which nobody knows yet
  let run: string[] = [];
  let behind: string[] = [];
  const endRun = () => {
    ordered.push(...run.reverse(), ...behind);
    run = [];
    behind = [];
  };
  for (const text of texts) {
    if (RIGHT_TO_LEFT.test(text)) {
      endRun();
      ordered.push(text);
    } else if (LEFT_TO_RIGHT.test(text)) {
      run.push(...behind, text);
      behind = [];
    } else if (run.length > 0) behind.push(text);
    else ordered.push(text);
  }
  endRun();
  return ordered;
}
