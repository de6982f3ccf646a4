import { type FileKind, fileKindOfType } from '../../features/file-types.ts';
import { SENT_HTML, SENT_TEXT } from '../../features/sent-text.ts';

/** What a Content-Type says. */
export interface DeclaredType {
  readonly contentType: string | null;
  /** `type/subtype` in small letters; null if there is none, or it is malformed. */
  readonly essence: string | null;
  /** The charset parameter as sent; null if there is none. */
  readonly charsetLabel: string | null;
  /** Whether its charset is one of 16 bits, whose text holds control bytes. */
  readonly sixteenBits: boolean;
  /** Whether the document was sent as a text, and is one whatever its first bytes look like. */
  readonly isSentAsText: boolean;
  /** Whether it says nothing of the document. */
  readonly isGeneric: boolean;
  /** The kind of file that it names; null: none. */
  readonly fileKind: FileKind | null;
}

const GENERIC = new Set(['application/octet-stream', 'binary/octet-stream', 'unknown/unknown', 'application/unknown']);

const ESSENCE = /^[\t\n\r ]*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)[\t\n\r ]*(?:[;,]|$)/;
const CHARSET_PARAMETER = /;[\t\n\r ]*charset[\t\n\r ]*=[\t\n\r ]*(?:"([^"]*)"|'([^']*)'|([^;,"\s]*))/i;

/** @param contentType the header as sent, or null */
export function declaredType(contentType: string | null): DeclaredType {
  if (contentType !== lastRead.contentType) lastRead = read(contentType);
  return lastRead;
}

function read(contentType: string | null): DeclaredType {
  const essence = (contentType === null ? undefined : ESSENCE.exec(contentType)?.[1]?.toLowerCase()) ?? null;
  const charsetLabel = contentType === null ? null : charsetParameter(contentType);
  const sixteenBits = charsetLabel !== null && /^(?:unicode|ucs-2|utf-16)/i.test(charsetLabel);
  const isSentAsText = contentType === SENT_TEXT || contentType === SENT_HTML;
  return {
    ...{ contentType, essence, charsetLabel, sixteenBits, isSentAsText },
    isGeneric: essence === null || GENERIC.has(essence),
    fileKind: essence === null ? null : fileKindOfType(essence),
  };
}

/** Most documents come with the header of the one before. */
let lastRead = read(null);

function charsetParameter(contentType: string): string | null {
  const match = CHARSET_PARAMETER.exec(contentType);
  const label = (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim();
  return label === '' ? null : label;
}
