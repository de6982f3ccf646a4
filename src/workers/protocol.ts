import { type ErrorCode, ShingledError } from '../errors.ts';
import type { ExtractLimits } from '../extract/limits.ts';
import type { Identity } from '../identity/identity.ts';
import type { KernelName } from '../kernel/choose.ts';
import type { DocumentInput, ProcessedDocument } from './port.ts';

/* What passes between the event loop and a worker: plain data, as the structured clone of an Error loses its code. */

export interface WorkerSetup {
  readonly identity: Identity;
  readonly limits: ExtractLimits;
  /** The kernel that the event loop runs. */
  readonly kernel: KernelName;
}

export interface Task {
  readonly input: DocumentInput;
  /** One shared word: 0 until the worker has begun. */
  readonly started: Int32Array;
}

export type Answer = { readonly document: ProcessedDocument } | { readonly error: PlainError };

export interface PlainError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly field: string | undefined;
  readonly limit: { readonly name: string; readonly value: number } | undefined;
}

export function toPlainError({ code, message, field, limit }: ShingledError): PlainError {
  return { code, message, field, limit };
}

export function fromPlainError({ code, message, field, limit }: PlainError): ShingledError {
  return new ShingledError(code, message, {
    ...(field === undefined ? {} : { field }),
    ...(limit === undefined ? {} : { limit }),
  });
}
