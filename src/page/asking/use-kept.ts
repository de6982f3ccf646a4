import { useEffect, useRef, useState } from 'preact/hooks';

/* What was typed outlives a reload: it is kept in this tab until it is closed. */

const WAIT_MS = 200;

/**
 * State that a reload gives back.
 *
 * @param name of a thing on the page; one at a time may use it
 * @param isLike whether what was kept, by this version or another, is of the right form
 */
export function useKept<T>(name: string, initial: T, isLike: (kept: unknown) => boolean): [T, (next: T) => void] {
  const [value, setValue] = useState<T>(() => kept(name, initial, isLike));
  const newest = useRef(value);
  newest.current = value;
  useEffect(() => {
    const timer = setTimeout(() => keep(name, value), WAIT_MS);
    return () => clearTimeout(timer);
  }, [value]);
  useEffect(() => {
    const atOnce = () => keep(name, newest.current);
    addEventListener('pagehide', atOnce);
    return () => {
      removeEventListener('pagehide', atOnce);
      atOnce();
    };
  }, []);
  return [value, setValue];
}

const keyOf = (name: string) => `shingled.kept.${name}`;

function kept<T>(name: string, initial: T, isLike: (kept: unknown) => boolean): T {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? 'null');
    return isLike(value) ? (value as T) : initial;
  } catch {
    return initial;
  }
}

/** Keeps what a thing on the page shows when it is opened next. */
export function keep(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(value));
  } catch {
    // more than a tab may keep (some 5 MB): better nothing than what was typed before
    sessionStorage.removeItem(keyOf(name));
  }
}
