/** What holds in a group of RTF, and in those inside until they say otherwise. */
export interface Group {
  readonly isNoText: boolean;
  readonly isHidden: boolean;
  readonly isDeleted: boolean;
  /** Characters for older readers behind a "\u". */
  readonly unicodeSkip: number;
  readonly font: number | null;
  readonly into: 'text' | 'notes' | 'title' | 'fonts';
  /** Whether its first group is for older readers, and the other one says the same in Unicode. */
  readonly isTwofold: boolean;
}

export const ROOT: Group = {
  ...{ isNoText: false, isHidden: false, isDeleted: false, unicodeSkip: 1, font: null, into: 'text', isTwofold: false },
};

/** What holds at the beginning of a group in this one. */
export const innerGroup = (group: Group): Group => ({
  ...{ ...group, isTwofold: false, isNoText: group.isNoText || group.isTwofold },
});

/** Destinations without a "\*" that are no text, or none of the flow of it. */
const NO_TEXT: ReadonlySet<string> = new Set([
  ...['colortbl', 'stylesheet', 'filetbl', 'revtbl', 'listtable', 'fldinst', 'pict', 'nonshppict', 'objdata', 'sp'],
  ...['header', 'headerl', 'headerr', 'headerf', 'footer', 'footerl', 'footerr', 'footerf', 'annotation', 'atnid'],
  ...['listtext', 'pntext', 'pntxta', 'pntxtb', 'xe', 'tc', 'tcn', 'rxe', 'txe', 'bkmkstart', 'bkmkend', 'private'],
  ...['ftnsep', 'ftnsepc', 'ftncn', 'aftnsep', 'aftnsepc', 'aftncn', 'template', 'themedata', 'datastore'],
]);

/**
 * What the first word of a group makes of it; null where it names no destination.
 *
 * @param isStarred whether readers that do not know the word are to pass over the group
 * @param around the group around it
 */
export function destinationOf(word: string, isStarred: boolean, around: Group): Partial<Group> | null {
  switch (word) {
    case 'fonttbl':
      return { into: 'fonts' };
    case 'footnote':
      return { into: 'notes' };
    case 'info':
      return { into: 'title', isNoText: true };
    case 'title':
      return around.into === 'title' ? { isNoText: false } : null;
    case 'shpinst':
      return {};
    case 'upr':
      return { isTwofold: true };
    case 'ud':
      return { isNoText: around.isNoText };
    default:
      return isStarred || NO_TEXT.has(word) ? { isNoText: true } : null;
  }
}
