/*
 * The little of the WebAssembly interface that the kernel needs. Node's types leave it to those of browsers, and a runtime
 * may come without it.
 */

/** A compiled module: says nothing, may be posted to a worker. */
export type WasmModule = object;

export interface WasmMemory {
  /** Another one after every growth. */
  readonly buffer: ArrayBuffer;
}

export interface WasmGlobal {
  readonly value: number;
}

interface WebAssemblyInterface {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule) => { readonly exports: object };
}

/** @throws Error where this runtime has no WebAssembly */
function webAssembly(): WebAssemblyInterface {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly?: WebAssemblyInterface };
  if (WebAssembly === undefined) throw new Error('this runtime has no WebAssembly');
  return WebAssembly;
}

/** @throws Error where the runtime does not know an instruction of the module, such as SIMD on an old processor */
export function compile(bytes: Uint8Array): WasmModule {
  return new (webAssembly().Module)(bytes);
}

/** @throws Error where there is no memory for it */
export function instantiate(module: WasmModule): object {
  return new (webAssembly().Instance)(module).exports;
}
