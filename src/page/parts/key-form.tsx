import { useId, useState } from 'preact/hooks';
import { keepKey, typedKey } from '../asking/typed-key.ts';

/** Takes a key, which is kept in this tab only. */
export function KeyForm({ onKey }: { readonly onKey: () => void }) {
  const id = useId();
  const [key, setKey] = useState('');
  const has = typedKey() !== null;
  return (
    <form
      class="key"
      onSubmit={(event) => {
        event.preventDefault();
        keepKey(key.trim());
        setKey('');
        onKey();
      }}
    >
      <label for={id}>API key</label>
      <input
        id={id}
        type="password"
        autocomplete="off"
        spellcheck={false}
        value={key}
        onInput={(event) => setKey(event.currentTarget.value)}
      />
      <button type="submit">{key.trim() === '' && has ? 'Forget the key' : 'Use this key'}</button>
      <p class="quiet">It stays in this tab until it is closed, and is sent to this service only.</p>
    </form>
  );
}
