import { useId, useRef, useState } from 'preact/hooks';
import { type GivenDocument, givenFrom } from '../asking/given-document.ts';
import { bytes, counted } from '../words/figures.ts';
import { UrlInput } from './url-input.tsx';

interface Props {
  readonly label: string;
  readonly given: GivenDocument;
  readonly onGiven: (given: GivenDocument) => void;
  readonly rows?: number;
  /** Whether a version of a URL can be asked for. */
  readonly hasVersions?: boolean;
}

const WAYS = [
  ['text', 'Text'],
  ['url', 'URL'],
  ['file', 'File'],
] as const;

/** Takes a document: typed or pasted, by its URL, or as a file that is picked or dropped anywhere on the field. */
export function DocumentField({ label, given, onGiven, rows = 9, hasVersions = false }: Props) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  // a file is read for a while: what was typed meanwhile stays, and the file that was taken last is the one
  const newest = useRef({ given, onGiven });
  newest.current = { given, onGiven };
  const taken = useRef<File>(undefined);
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    setFault(null);
    taken.current = file;
    givenFrom(file).then(
      (next) => {
        if (taken.current !== file) return;
        const { text, url } = newest.current.given;
        newest.current.onGiven({ ...next, text: next.by === 'text' ? next.text : text, url });
      },
      (error: unknown) => {
        if (taken.current === file) setFault(`The file cannot be read: ${String(error)}`);
      },
    );
  };
  return (
    <fieldset
      class={isOver ? 'document document-over' : 'document'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files[0]);
      }}
    >
      <legend>{label}</legend>
      <div class="ways">
        {WAYS.map(([by, name]) => (
          <label key={by}>
            <input type="radio" name={id} checked={given.by === by} onChange={() => onGiven({ ...given, by })} />
            {name}
          </label>
        ))}
      </div>
      <Way {...{ id, label, given, onGiven, rows, hasVersions, take }} />
      {fault !== null && <p role="alert">{fault}</p>}
    </fieldset>
  );
}

interface WayProps extends Required<Props> {
  readonly id: string;
  readonly take: (file: File | undefined) => void;
}

function Way({ id, label, given, onGiven, rows, hasVersions, take }: WayProps) {
  if (given.by === 'url') {
    return (
      <>
        <UrlInput label={`${label}: URL`} url={given.url} onUrl={(url) => onGiven({ ...given, url })} />
        {hasVersions && (
          <label class="version">
            as it was at{' '}
            <input
              type="text"
              placeholder="now; or 2025-01-31T00:00:00Z"
              autocomplete="off"
              spellcheck={false}
              value={given.at}
              onInput={(event) => onGiven({ ...given, at: event.currentTarget.value })}
            />
          </label>
        )}
      </>
    );
  }
  if (given.by === 'file') {
    return (
      <div class="file">
        <label for={`${id}-file`}>Text, HTML or PDF; or drop one here</label>
        <input id={`${id}-file`} type="file" onChange={(event) => take(event.currentTarget.files?.[0])} />
        {given.file !== null && (
          <p>
            <strong>{given.file.name}</strong> <span class="quiet">{bytes(given.file.size)}</span>
          </p>
        )}
      </div>
    );
  }
  return (
    <>
      <textarea
        class="wide prose"
        aria-label={`${label}: text`}
        rows={rows}
        placeholder="Paste a text, or drop a file"
        spellcheck={false}
        value={given.text}
        onInput={(event) => onGiven({ ...given, text: event.currentTarget.value })}
      />
      <p class="quiet figures under">{lengthOf(given.text)}</p>
    </>
  );
}

/** Longer texts are not gone through at each key. */
const COUNTED_MAX = 200_000;

function lengthOf(text: string): string {
  if (text.length > COUNTED_MAX) return counted(text.length, 'character');
  return counted(text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0, 'word');
}
