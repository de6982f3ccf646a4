import { useEffect, useState } from 'preact/hooks';

/** How wide the page is, CSS pixels: what is drawn for it is drawn anew once its window has rested at another width. */
export function usePageWidth(): number {
  const [width, setWidth] = useState(innerWidth);
  useEffect(() => {
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
