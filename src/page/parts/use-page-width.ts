import { useLayoutEffect, useState } from 'preact/hooks';

/** How wide the page is, CSS pixels: a drawing is made again once its window has rested at another width. */
export function usePageWidth(): number {
  const [width, setWidth] = useState(innerWidth);
  // a plain effect runs after the next frame, and a width that came before it was never seen
  useLayoutEffect(() => {
    let resting: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(resting);
      resting = setTimeout(() => setWidth(innerWidth), REST_MS);
    };
    addEventListener('resize', look);
    return () => {
      clearTimeout(resting);
      removeEventListener('resize', look);
    };
  }, []);
  return width;
}

/** Shorter than a person notices; a window that is dragged changes sixty times a second. */
const REST_MS = 100;
