import { hrefOf } from '../words/safe-link.ts';

/** Leads to a passage on the page that has it; nothing where it has no address that may be followed. */
export function PassageLink({ link }: { readonly link: string | null }) {
  const href = link === null ? null : hrefOf(link);
  if (href === null) return null;
  return (
    <a href={href} rel="noreferrer noopener external" target="_blank">
      open there
    </a>
  );
}
