const DAY_MS = 86_400_000;

let day = Number.NaN;
/** The date of that day, with the T behind it. */
let date = '';

/**
 * A time as `Date.toISOString` writes it, sooner where many are of one day.
 *
 * @param ms since 1970, a whole number
 */
export function isoTime(ms: number): string {
  const itsDay = Math.floor(ms / DAY_MS);
  if (itsDay !== day) {
    date = new Date(ms).toISOString().slice(0, -'00:00:00.000Z'.length);
    day = itsDay;
  }
  const ofDay = ms - itsDay * DAY_MS;
  const seconds = Math.floor(ofDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${date}${TWO[hours]}:${TWO[minutes - 60 * hours]}:${TWO[seconds - 60 * minutes]}.${THREE[ofDay - 1000 * seconds]}Z`;
}

const TWO = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, '0'));
const THREE = Array.from({ length: 1000 }, (_, i) => String(i).padStart(3, '0'));
