import { afterAll, beforeAll, expect, it } from 'vitest';
import { SCRIPTS } from '../support/core/letter-variants.ts';
import { makePdf, mappedFont } from '../support/pdf/make-pdf.ts';
import { begin, input } from '../support/workers/pipeline.ts';

let shared: ReturnType<typeof begin>;
beforeAll(() => {
  shared = begin();
});
afterAll(() => shared.close());

/** Codes of a PDF file, all of them letters of Latin-1. */
const codeOf = (index: number) => String.fromCharCode(index < 26 ? 0x61 + index : 0xc0 + index - 26);
const hex = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex');

it.each(['Chinese', 'Japanese', 'Thai'])(
  'a PDF file in %s has the words of its text, wherever lines end',
  async (script) => {
    const text = SCRIPTS[script]!;
    const characters = [...new Set(text)];
    const coded = Array.from(text, (character) => codeOf(characters.indexOf(character))).join('');
    const rows = characters.map((character, index) => `<${hex(codeOf(index)).slice(2)}> <${hex(character)}>`);
    const objects = mappedFont(`${rows.length} beginbfchar ${rows.join(' ')} endbfchar`);
    const file = makePdf([coded.match(/.{1,12}/gsu)!], { objects });
    const fromText = await shared.process(input(text, { contentType: 'text/plain' }));
    expect((await shared.process(input(file, { contentType: 'application/pdf' }))).sketch).toEqual(fromText.sketch);
  },
);
