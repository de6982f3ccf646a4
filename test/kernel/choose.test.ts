import { afterEach, describe, expect, it, vi } from 'vitest';
import { deriveIdentity } from '../../src/identity/index-key.ts';
import { createKernel } from '../../src/kernel/choose.ts';
import { WASM_BINARY } from '../../src/kernel/wasm-binary.generated.ts';

interface ModuleClass {
  new (bytes: Uint8Array): object;
  imports(module: object): readonly object[];
  exports(module: object): readonly object[];
}

const { fingerprint } = deriveIdentity(new Uint8Array(32).fill(1), 7);
const text = new TextEncoder().encode('a rose is a rose is a rose');

/** A runtime that knows WebAssembly, but not the instructions of this module. */
class Unsupported {
  constructor() {
    throw new Error('Wasm SIMD unsupported');
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('createKernel', () => {
  // these two come first: what was compiled once is kept
  it('takes TypeScript where SIMD is missing, and says so', () => {
    vi.stubGlobal('WebAssembly', { Module: Unsupported });
    const { sketcher, name, why } = createKernel(fingerprint, 'auto');
    expect(name).toBe('typescript');
    expect(why).toContain('Wasm SIMD unsupported');
    expect(sketcher.sketch(text, 1).tokenCount).toBe(8);
  });

  it('refuses to do without WebAssembly where it is asked for', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(() => createKernel(fingerprint, 'wasm')).toThrow(
      expect.objectContaining({ code: 'invalid-config', message: expect.stringContaining('no WebAssembly') }),
    );
  });

  it('takes WebAssembly where it works, and TypeScript where that is asked for, with the same sketch', async () => {
    const [automatic, forced, typescript] = (['auto', 'wasm', 'typescript'] as const).map((choice) =>
      createKernel(fingerprint, choice),
    );
    expect([automatic!.name, forced!.name, typescript!.name]).toEqual(['wasm', 'wasm', 'typescript']);
    expect(automatic!.why).toBe('it is the faster one');
    expect(automatic!.sketcher.sketch(text, 4)).toEqual(typescript!.sketcher.sketch(text, 4));
    expect(automatic!.sketcher.sequence(text)).toEqual(typescript!.sketcher.sequence(text));
  });

  it('calls nothing from WebAssembly: V8 ends the process where threads that did so are ended', () => {
    const { Module } = (globalThis as unknown as { WebAssembly: { Module: ModuleClass } }).WebAssembly;
    const module = new Module(Buffer.from(WASM_BINARY, 'base64'));
    expect(Module.imports(module)).toEqual([]);
    expect(Module.exports(module)).toContainEqual({ name: 'addPiece', kind: 'function' });
  });

  it('says what is wrong with parameters before it looks for a kernel', async () => {
    expect(() => createKernel({ ...fingerprint, shingleSize: 33 }, 'auto')).toThrow(RangeError);
  });
});
