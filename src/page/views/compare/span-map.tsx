import type { SpannedText } from 'shingled/types';
import { bandsOf } from '../../drawn/span-bands.ts';

const BANDS_MAX = 1000;

/** Both texts as two thin columns, with a band wherever they have the same words. The panes say the same in full. */
export function SpanMap({ a, b }: { readonly a: SpannedText; readonly b: SpannedText }) {
  return (
    <svg class="span-map" viewBox="0 0 60 1000" preserveAspectRatio="none" aria-hidden="true">
      <rect class="map-text" x="0" y="0" width="12" height="1000" />
      <rect class="map-text" x="48" y="0" width="12" height="1000" />
      {bandsOf(a, b, BANDS_MAX).map(({ kind, left, right }) => {
        const [l0, l1, r0, r1] = [...left, ...right].map((share) => Math.round(share * 10_000) / 10) as Corners;
        return (
          <path
            key={`${l0} ${r0}`}
            class={`map-${kind}`}
            d={`M0 ${l0}H12C30 ${l0} 30 ${r0} 48 ${r0}H60V${r1}H48C30 ${r1} 30 ${l1} 12 ${l1}H0Z`}
          />
        );
      })}
    </svg>
  );
}

type Corners = [number, number, number, number];
