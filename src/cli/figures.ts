export const count = (value: number): string => value.toLocaleString('en');

export function bytes(value: number | null): string {
  if (value === null) return 'not known';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let shown = value;
  let unit = 0;
  while (shown >= 1024 && unit < units.length - 1) {
    shown /= 1024;
    unit++;
  }
  return `${unit === 0 ? shown : shown.toFixed(1)} ${units[unit]}`;
}
