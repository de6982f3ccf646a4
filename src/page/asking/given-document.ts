import type { CompareAnswer, Document } from 'shingled/types';
import { postTo, Refusal } from './ask-service.ts';

/** A document as somebody gives it to the page: typed, named, or dropped. */
export interface GivenDocument {
  readonly by: 'text' | 'url' | 'file';
  readonly text: string;
  readonly url: string;
  /** Which version of the URL: a time, or the id of a content; empty for what it says now. */
  readonly at: string;
  readonly file: GivenFile | null;
}

export interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly base64: string;
}

/** The service reads none as part of a text. */
const BYTE_ORDER_MARK = /^\ufeff/;

export const NOTHING_GIVEN: GivenDocument = { by: 'text', text: '', url: '', at: '', file: null };

export function isGivenDocument(value: unknown): value is GivenDocument {
  if (typeof value !== 'object' || value === null) return false;
  const { by, text, url, at, file } = value as Partial<Record<keyof GivenDocument, unknown>>;
  const isFile = file === null || (typeof file === 'object' && 'base64' in (file as object));
  return (
    ['text', 'url', 'file'].includes(String(by)) &&
    typeof text === 'string' &&
    typeof url === 'string' &&
    typeof at === 'string' &&
    isFile
  );
}

/** The document as the API takes it; null where nothing is given yet. */
export function documentOf({ by, text, url, at, file }: GivenDocument): Document | null {
  if (by === 'url') {
    const version = at.trim() === '' ? {} : { at: at.trim() };
    return url.trim() === '' ? null : { url: url.trim(), ...version };
  }
  if (by === 'text') return text.trim() === '' ? null : { text };
  return file === null ? null : { bytes: file.base64, ...(file.type === '' ? {} : { contentType: file.type }) };
}

/** Reads a file: a plain text in UTF-8 as if it had been pasted, any other as it is. */
export async function givenFrom(file: File): Promise<GivenDocument> {
  const type = file.type.split(';')[0]!.trim();
  if (type === 'text/plain' || (type === '' && /\.(txt|md|text)$/i.test(file.name))) {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      return { ...NOTHING_GIVEN, by: 'text', text };
    } catch {
      // another charset: the service finds out which
    }
  }
  const base64 = await base64Of(file);
  return { ...NOTHING_GIVEN, by: 'file', file: { name: file.name, type, size: file.size, base64 } };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'));
    reader.readAsDataURL(file);
  });
}

/**
 * The text of a document in which passages have their places: what was typed, or what the service reads from a file. It tells
 * that where it compares the file with another text.
 *
 * @returns null of a URL, since the index keeps no texts, and where the service does not tell it
 */
export async function textOf(document: Document, signal: AbortSignal): Promise<string | null> {
  if (document.text !== undefined) return document.text.replace(BYTE_ORDER_MARK, '');
  if (document.bytes === undefined && document.html === undefined) return null;
  const request = { a: document, b: { text: 'another' }, differences: true, texts: true };
  try {
    const { differences } = await postTo<CompareAnswer>('compare', request, signal);
    return differences?.a.text ?? null;
  } catch (error) {
    // an answer without marks is better than none
    if (error instanceof Refusal) return null;
    throw error;
  }
}
