import type { HostCopies } from 'shingled/types';
import { FirstRows } from '../../parts/outcome.tsx';
import { count, counted, days, intervalOf, percentWithin } from '../../words/figures.ts';

/** Which hosts have copies, how many and since when: the best first. */
export function HostCopiesTable({ hosts }: { readonly hosts: readonly HostCopies[] }) {
  return (
    <details open>
      <summary>{counted(hosts.length, 'host has them', 'hosts have them')}</summary>
      <FirstRows rows={hosts} name="hosts">
        {(shown) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled has to be reached by the keyboard
          <section class="scroll" aria-label="Hosts with copies" tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">host</th>
                  <th scope="col" class="number">
                    texts
                  </th>
                  <th scope="col" class="number">
                    URLs
                  </th>
                  <th scope="col" class="number">
                    alike at best
                  </th>
                  <th scope="col" class="number">
                    yours in theirs
                  </th>
                  <th scope="col">seen</th>
                </tr>
              </thead>
              <tbody>
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
              </tbody>
            </table>
          </section>
        )}
      </FirstRows>
    </details>
  );
}
