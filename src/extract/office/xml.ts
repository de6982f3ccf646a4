import { Parser } from 'htmlparser2';
import { ShingledError } from '../../errors.ts';
import type { ExtractLimits } from '../limits.ts';

/*
 * The XML of a part: elements and texts in their order, without a tree. Names are given without their prefix, which is the
 * writer's choice. Entities that a document declares itself mean nothing here, so none can unfold to more.
 */

export interface XmlElement {
  /** Without its prefix. */
  readonly name: string;
  /** The value of an attribute by its name without a prefix; null where it has none. */
  readonly attribute: (name: string) => string | null;
}

export interface XmlReader {
  /** @param path names of the open elements, this one last */
  open?(element: XmlElement, path: readonly string[]): void;
  text?(text: string, path: readonly string[]): void;
  close?(name: string, path: readonly string[]): void;
}

/**
 * Reads a part to its end.
 *
 * @throws ShingledError `document-too-complex` where elements lie too deep in one another; what the reader and the pieces throw
 */
export async function readXml(
  pieces: AsyncIterable<Uint8Array>,
  reader: XmlReader,
  limits: ExtractLimits,
): Promise<void> {
  const path: string[] = [];
  const parser = new Parser(
    {
      onopentag(fullName, attributes) {
        const name = localName(fullName);
        path.push(name);
        if (path.length > limits.depthMax) throw tooDeep(limits);
        reader.open?.({ name, attribute: (wanted) => attributeOf(attributes, wanted) }, path);
      },
      ontext(text) {
        reader.text?.(text, path);
      },
      onclosetag(fullName) {
        reader.close?.(localName(fullName), path);
        path.pop();
      },
    },
    { xmlMode: true },
  );
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const piece of pieces) {
    decoder ??= decoderFor(piece);
    parser.write(decoder.decode(piece, { stream: true }));
  }
  if (decoder !== null) parser.write(decoder.decode());
  parser.end();
}

const localName = (name: string) => name.slice(name.lastIndexOf(':') + 1);

function attributeOf(attributes: Readonly<Record<string, string>>, wanted: string): string | null {
  for (const name in attributes) if (localName(name) === wanted) return attributes[name]!;
  return null;
}

/** XML is UTF-8 or UTF-16 unless it says otherwise. */
function decoderFor(start: Uint8Array): InstanceType<typeof TextDecoder> {
  const [first, second] = start;
  if ((first === 0xff && second === 0xfe) || second === 0) return new TextDecoder('utf-16le');
  if ((first === 0xfe && second === 0xff) || first === 0) return new TextDecoder('utf-16be');
  const declaration = new TextDecoder('latin1').decode(start.subarray(0, 200));
  const label = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(declaration)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(/^utf-?16/i.test(label) ? 'utf-8' : label);
  } catch {
    return new TextDecoder();
  }
}

function tooDeep({ depthMax: value }: ExtractLimits): ShingledError {
  return new ShingledError(
    'document-too-complex',
    `The document has elements ${value} deep in one another, or deeper`,
    {
      limit: { name: 'depthMax', value },
    },
  );
}
