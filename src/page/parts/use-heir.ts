import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * What goes while the focus is in it hands that on: whoever works by the keyboard is not thrown back to the top of the page.
 *
 * @param heirOf what has the focus then
 */
export function useHeir<T extends HTMLElement>(heirOf: (going: T) => Element | null): RefObject<T | null> {
  const own = useRef<T>(null);
  useLayoutEffect(() => {
    const going = own.current;
    return () => {
      if (going === null || !going.contains(document.activeElement)) return;
      const heir = heirOf(going);
      if (!(heir instanceof HTMLElement)) return;
      // by a script alone, where it is none that one comes to by the Tab key
      if (heir.tabIndex < 0) heir.tabIndex = -1;
      heir.focus({ preventScroll: true });
    };
  }, []);
  return own;
}

export const itsSection = (going: Element) => going.closest('section');
