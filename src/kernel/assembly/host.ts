/**
 * What TypeScript does for the kernel: puts the text from address `from` to `end`, or to a cut before it, into canonical form
 * at address `to`. Returns the number of bytes read << 17 | the number of bytes written.
 */
export declare function normalize(from: u32, end: u32, to: u32): u32;
