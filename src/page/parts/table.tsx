import type { ComponentChildren } from 'preact';

/** What a column holds; numbers stand at its right. */
export type Column = string | readonly [name: string, holds: 'number'];

interface Props {
  readonly columns: readonly Column[];
  readonly caption?: string;
  readonly class?: string;
  /** Its rows. */
  readonly children: ComponentChildren;
}

export function Table({ columns, caption, children, class: className }: Props) {
  return (
    <table class={className}>
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map((column) =>
            typeof column === 'string' ? (
              <th key={column} scope="col">
                {column}
              </th>
            ) : (
              <th key={column[0]} scope="col" class="number">
                {column[0]}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** A table that may be wider than the page. */
export function WideTable({ label, ...table }: Props & { readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled has to be reached by the keyboard
    <section class="scroll" aria-label={label} tabIndex={0}>
      <Table {...table} />
    </section>
  );
}
