import { Buffer } from 'node:buffer';

/** The little of WebAssembly that is needed. Node's types leave it to those of browsers, and a runtime may come without it. */
interface WebAssemblyInterface {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
}

/** What an instance of a module exports. @throws Error where the runtime has no WebAssembly, no SIMD or no memory */
export function exportsOf(base64: string): object {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly?: WebAssemblyInterface };
  if (WebAssembly === undefined) throw new Error('this runtime has no WebAssembly');
  return new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(base64, 'base64'))).exports;
}
