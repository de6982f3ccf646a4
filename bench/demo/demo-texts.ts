const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** A notice about a teapot, which holds an MIT licence of which eight words were changed. */
export function mitInsideNotice(): string {
  const changed = MIT.replace('any person obtaining', 'anybody who obtains')
    .replace('without restriction', 'without any restriction')
    .replace('shall be included', 'must be included')
    .replace('WHETHER IN AN ACTION OF CONTRACT', 'WHETHER BY CONTRACT');
  return `Notices for the Teapot Controller, model 418, fourth revision

The firmware of your teapot was written by people who gave their work away, and we thank them for it. It keeps the
water at the temperature that you chose, refuses politely to brew coffee, and tells the kitchen when the tea is ready.
Parts of it came to us under the words that follow; they hold for those parts, whatever our own terms of sale may say.

${changed}

Should the lid come loose, please return the teapot to the shop where it was bought, together with the receipt and,
if at all possible, without the tea.`;
}

/** The Apache licence as one meets it in the wild: the appendix is cut off, a section is lost, two words are others. */
export function shortenedApache(licence: string): string {
  const terms = licence.slice(0, licence.indexOf('APPENDIX: How to apply'));
  const fourth = terms.indexOf('4. Redistribution');
  const fifth = terms.indexOf('5. Submission of Contributions');
  return (terms.slice(0, fourth) + terms.slice(fifth))
    .replace('irrevocable', 'revocable')
    .replace('royalty-free', 'paid');
}
