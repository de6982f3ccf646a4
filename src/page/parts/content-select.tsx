import { CONTENT_WISHES, type ContentWish } from '../words/content-wishes.ts';

interface Props {
  readonly content: ContentWish;
  readonly onContent: (content: ContentWish) => void;
}

/** By what documents are compared. */
export function ContentSelect({ content, onContent }: Props) {
  return (
    <label>
      compared by{' '}
      <select value={content} onChange={({ currentTarget }) => onContent(currentTarget.value as ContentWish)}>
        {Object.entries(CONTENT_WISHES).map(([wish, words]) => (
          <option key={wish} value={wish}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
