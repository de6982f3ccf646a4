import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAddress } from './address/use-address.ts';
import { formatAddress, type ViewName, type ViewProps } from './address/view-address.ts';
import { KeyForm } from './parts/key-form.tsx';
import { AskView } from './views/ask/ask-view.tsx';
import { CompareView } from './views/compare/compare-view.tsx';
import { FamilyView } from './views/family/family-view.tsx';
import { HistoryView } from './views/history/history-view.tsx';
import { IndexView } from './views/index/index-view.tsx';
import { MadeOfView } from './views/made-of/made-of-view.tsx';
import { ResultsView } from './views/results/results-view.tsx';

interface Place {
  readonly name: string;
  readonly view: ComponentType<ViewProps>;
}

const PLACES: Readonly<Record<ViewName, Place>> = {
  ask: { name: 'Ask', view: AskView },
  compare: { name: 'Side by side', view: CompareView },
  'made-of': { name: 'Made of', view: MadeOfView },
  family: { name: 'Family', view: FamilyView },
  history: { name: 'History', view: HistoryView },
  results: { name: 'Search page', view: ResultsView },
  index: { name: 'Index', view: IndexView },
};

/** The frame of all views: where one can go, the key, and the view of the address. */
export function Shell() {
  const { address, count } = useAddress();
  const [hasKeyForm, setKeyForm] = useState(false);
  const main = useRef<HTMLElement>(null);
  const place = PLACES[address.view];
  const View = place.view;
  useEffect(() => {
    document.title = `${place.name} · shingled`;
    // whoever came by a link or the keyboard goes on from the heading of what is new
    if (count > 0) main.current?.querySelector('h1')?.focus();
  }, [count, place]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the view
      </button>
      <header class="top">
        <span class="brand">shingled</span>
        <nav aria-label="Views">
          {(Object.entries(PLACES) as [ViewName, Place][]).map(([view, { name }]) => (
            <a
              key={view}
              href={formatAddress({ view, params: {} })}
              aria-current={view === address.view ? 'page' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        <span class="top-end">
          <button type="button" class="plain" aria-expanded={hasKeyForm} onClick={() => setKeyForm(!hasKeyForm)}>
            Key
          </button>
          <a href="docs">API</a>
        </span>
        {hasKeyForm && <KeyForm onKey={() => setKeyForm(false)} />}
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <View key={`${address.view} ${count}`} params={address.params} />
      </main>
    </>
  );
}
