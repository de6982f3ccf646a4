import type { HostCopies } from 'shingled/types';
import { FirstRows } from '../../parts/outcome.tsx';
import { type Column, WideTable } from '../../parts/table.tsx';
import { count, counted, days, intervalOf, percentWithin } from '../../words/figures.ts';

const COLUMNS: readonly Column[] = [
  'host',
  ['texts', 'number'],
  ['URLs', 'number'],
  ['alike at best', 'number'],
  ['yours in theirs', 'number'],
  'seen',
];

/** Which hosts have copies, how many and since when: the best first. */
export function HostCopiesTable({ hosts }: { readonly hosts: readonly HostCopies[] }) {
  return (
    <details open>
      <summary>{counted(hosts.length, 'host has them', 'hosts have them')}</summary>
      <FirstRows rows={hosts} name="hosts">
        {(shown) => (
          <WideTable label="Hosts with copies" columns={COLUMNS}>
            {shown.map(({ host, matches, sourceCount, resemblance, queryInMatch, firstSeen, lastSeen }) => (
              <tr key={host}>
                <th scope="row">{host ?? 'names without a host'}</th>
                <td class="number">{count(matches)}</td>
                <td class="number">{count(sourceCount)}</td>
                <td class="number">{percentWithin(intervalOf(resemblance))}</td>
                <td class="number">{percentWithin(intervalOf(queryInMatch))}</td>
                <td class="steady">{days(firstSeen, lastSeen)}</td>
              </tr>
            ))}
          </WideTable>
        )}
      </FirstRows>
    </details>
  );
}
