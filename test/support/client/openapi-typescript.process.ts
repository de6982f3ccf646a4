import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/*
 * Runs openapi-typescript: OpenAPI document, file of types to be written. It makes them by the API of TypeScript 5, which
 * TypeScript 7 has no longer.
 */

registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});
const { astToString, default: openapiTS } = await import('openapi-typescript');
const [document, types] = process.argv.slice(2) as [string, string];
writeFileSync(types, astToString(await openapiTS(readFileSync(document, 'utf8'))));
