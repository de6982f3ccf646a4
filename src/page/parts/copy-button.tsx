import { useState } from 'preact/hooks';

/** Copies a text; where the browser does not allow that, it says so. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [said, setSaid] = useState('');
  const copy = () => {
    // absent where the page did not come by https, or from this machine
    const copied = navigator.clipboard?.writeText(text()) ?? Promise.reject(new Error('no clipboard'));
    copied.then(
      () => setSaid('copied'),
      () => setSaid('this browser does not let the page copy'),
    );
  };
  return (
    <span class="copy">
      <button type="button" class="plain" onClick={copy}>
        {label}
      </button>
      <span role="status" class="quiet">
        {said}
      </span>
    </span>
  );
}
