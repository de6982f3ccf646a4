import { FEATURES_TYPE } from '../../../src/features/feature-list.ts';

/** A document of which no text comes, and the code of its error. */
export interface FaultyDocument {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contentType?: string;
  readonly select?: string;
  readonly code: string;
}

/**
 * A document for each error that one can raise, and each way to it.
 *
 * @param size of each in bytes, at least 350, where a tree may have at most 100 elements
 */
export function faultyDocuments(size: number): FaultyDocument[] {
  const filled = (start: string, fill = 'some words and then ') => {
    const bytes = Buffer.alloc(size, fill, 'latin1');
    bytes.write(start, 'latin1');
    return bytes;
  };
  const refusedByBytes = {
    PostScript: '%!PS-Adobe-3.0\n',
    ZIP: 'PK\x03\x04\x14\0\0\0',
    font: 'wOFF\0\x01\0\0',
    'old office document': '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    feed: '<?xml version="1.0"?><rss version="2.0"><channel>',
    'binary data': 'x\0\x01\x02\x03\x04\x05\x06'.repeat(15),
  };
  return [
    ...Object.entries(refusedByBytes).map(([name, start]) => ({
      ...{ name, bytes: filled(start), code: 'unsupported-media-type' },
    })),
    ...['application/json', 'text/rtf-like+json', 'application/rss+xml', 'image/png'].map((contentType) => ({
      ...{ name: contentType, bytes: filled(''), contentType, code: 'unsupported-media-type' },
    })),
    {
      ...{ name: 'charset', bytes: filled('', 'caf\xe9 '), contentType: 'text/html; charset=klingon' },
      code: 'unsupported-charset',
    },
    { name: 'no words', bytes: filled('', ' .'), contentType: 'text/plain', code: 'empty-document' },
    { name: 'page without words', bytes: filled('<p>', '<b>'), contentType: 'text/html', code: 'empty-document' },
    {
      ...{ name: 'elements', bytes: filled('<p>', '<b>'), contentType: 'text/html', select: 'b > b' },
      code: 'document-too-complex',
    },
    {
      ...{ name: 'selector', bytes: filled('<p>'), contentType: 'text/html', select: 'b[' },
      code: 'invalid-selector',
    },
    { name: 'damaged PDF', bytes: filled('%PDF-1.7\n'), code: 'unreadable-document' },
    {
      ...{ name: 'no PDF', bytes: filled(''), contentType: 'application/pdf', code: 'unsupported-media-type' },
    },
    { name: 'features', bytes: filled('["a", '), contentType: FEATURES_TYPE, code: 'unreadable-document' },
  ];
}
