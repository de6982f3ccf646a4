interface Props {
  readonly label: string;
  readonly url: string;
  readonly onUrl: (url: string) => void;
  readonly placeholder?: string;
}

/** A field for a URL, or for any absolute URI that names a document. */
export function UrlInput({ label, url, onUrl, placeholder = 'https://…' }: Props) {
  return (
    <input
      type="text"
      inputMode="url"
      class="wide"
      aria-label={label}
      placeholder={placeholder}
      autocomplete="off"
      spellcheck={false}
      value={url}
      onInput={(event) => onUrl(event.currentTarget.value)}
    />
  );
}
