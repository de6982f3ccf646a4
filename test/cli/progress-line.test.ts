import { describe, expect, it } from 'vitest';
import { clockText, ProgressLine, shownAsMessage } from '../../src/cli/progress-line.ts';
import type { CliStreams } from '../../src/cli/streams.ts';

function lineOn(isTerminal: boolean, columns = 20) {
  const written: string[] = [];
  const streams = { err: (text: string) => void written.push(text), isTerminal, columns } as CliStreams;
  return { written, line: new ProgressLine(streams) };
}

describe('a line of progress', () => {
  it('is written over itself, within the width of the terminal, and leaves nothing', () => {
    const { written, line } = lineOn(true);
    line.show(() => '1 document');
    line.show(() => 'a line that is longer than twenty columns');
    line.clear();
    line.clear();
    expect(written).toEqual(['\r\u001b[K1 document', '\r\u001b[Ka line that is long', '\r\u001b[K']);
  });

  it('is not there where nobody looks', () => {
    const { written, line } = lineOn(false);
    line.show(() => expect.fail('nobody asks'));
    line.clear();
    expect(written).toEqual([]);
  });

  it('is all that a terminal obeys of messages, whose names may be those of strangers', () => {
    const name = 'a\u001b[31m\u009b2K\r\u202eb\n';
    const shown = 'a\\u001b[31m\\u009b2K\\u000d\\u202eb\n';
    expect(shownAsMessage(name)).toBe(shown);
    const { written, line } = lineOn(true, 100);
    line.show(() => name);
    expect(shownAsMessage(written[0]!)).toBe(`\r\u001b[K${shown}`);
    expect(shownAsMessage(shownAsMessage(name))).toBe(shown);
  });

  it.each([
    [0.4, '0:00'],
    [61, '1:01'],
    [3723, '1:02:03'],
  ])('says %f s as %s', (seconds, text) => expect(clockText(seconds)).toBe(text));
});
