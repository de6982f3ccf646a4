import { createSketcher, type Sketcher } from '../core/sketch/sketch.ts';
import type { FingerprintParameters } from '../core/sketch/stages.ts';
import { ShingledError } from '../errors.ts';
import { createWasmSketcher } from './wasm-sketcher.ts';

/*
 * Which of the two kernels makes the sketches: WebAssembly where the runtime has it with SIMD, TypeScript otherwise. They
 * make the same values, so that the choice is one of speed and nothing in an index depends on it.
 */

export type KernelName = 'wasm' | 'typescript';
/** `auto` takes the faster one that works. */
export type KernelChoice = 'auto' | KernelName;

export interface Kernel {
  readonly sketcher: Sketcher;
  readonly name: KernelName;
  /** Why this one, in words for a log. */
  readonly why: string;
}

/** A text that the WebAssembly kernel leaves to TypeScript, which may take up to a µs a byte. */
export class BeyondKernel extends Error {}

/**
 * @param leftBytesMax a longer text that WebAssembly leaves to TypeScript is not sketched: {@link BeyondKernel} is thrown
 * @throws RangeError where the parameters are not as FingerprintParameters says
 * @throws ShingledError `invalid-config` where WebAssembly was asked for and does not work
 */
export function createKernel(
  parameters: FingerprintParameters,
  choice: KernelChoice,
  leftBytesMax = Number.POSITIVE_INFINITY,
): Kernel {
  const typescript = createSketcher(parameters);
  if (choice === 'typescript') return { sketcher: typescript, name: 'typescript', why: 'it was asked for' };
  try {
    const why = choice === 'wasm' ? 'it was asked for' : 'it is the faster one';
    const sketch: Sketcher['sketch'] = (text, ...rest) => {
      if (text.length > leftBytesMax) throw new BeyondKernel();
      return typescript.sketch(text, ...rest);
    };
    return { sketcher: createWasmSketcher(parameters, { ...typescript, sketch }), name: 'wasm', why };
  } catch (error) {
    const why = `the WebAssembly kernel does not work here: ${error instanceof Error ? error.message : String(error)}`;
    if (choice === 'wasm') throw new ShingledError('invalid-config', why, { cause: error });
    return { sketcher: typescript, name: 'typescript', why };
  }
}
