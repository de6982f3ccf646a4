import { withIndex } from '../asking/with-index.ts';
import { type Command, UsageError } from '../command.ts';
import { JSON_OPTION, WHERE } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { count } from '../texts.ts';
import { isEverything, SELECTION_OPTIONS, selectionOf } from './selection-options.ts';

export const DELETE: Command = {
  name: 'delete',
  group: 'way in and out',
  operands: '',
  summary: 'delete the documents that options select',
  about:
    'Deletes documents, their versions, and the contents that only they had. Without --yes it only counts them, as with --dry-run. If their number changes in between, nothing is deleted.',
  options: {
    ...WHERE,
    ...SELECTION_OPTIONS,
    'dry-run': 'only count them',
    yes: 'delete them',
    ...JSON_OPTION,
  },
  operandsMax: 0,
  examples: [
    'shingled delete --host a.example --dry-run',
    'shingled delete --host a.example --subdomains --yes',
    'shingled delete --prefix https://a.example/private/ --yes',
  ],
  run: async (given, context) => {
    const selection = selectionOf(given);
    const isMeant = given.has('yes');
    if (isMeant && given.has('dry-run')) throw new UsageError('--yes does not go with --dry-run');
    if (isEverything(selection)) {
      throw new UsageError(
        'delete needs at least one option that selects documents: --host, --prefix, --from, --to, --meta or --known-as',
      );
    }
    const result = await withIndex(given, context, async (index) => {
      const counted = await index.forgetSelected(selection, { dryRun: true, confirm: null });
      let deleted = 0;
      let { confirm, unreadableCount } = counted;
      while (isMeant && confirm !== null && counted.matched > 0) {
        const answer = await index.forgetSelected(selection, { dryRun: false, confirm });
        deleted += answer.deleted;
        ({ confirm, unreadableCount } = answer);
        if (answer.deleted === 0) break;
      }
      return { matched: counted.matched, deleted, unreadableCount };
    });
    context.show(result, ({ matched, deleted }) =>
      isMeant
        ? `Deleted ${count(deleted)} of ${count(matched)} documents.\n`
        : `${count(matched)} documents would be deleted: with --yes they are.\n`,
    );
    return result.unreadableCount === 0 ? EXIT_CODES.done : EXIT_CODES.damaged;
  },
};
