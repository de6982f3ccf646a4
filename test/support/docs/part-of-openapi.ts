/** What this needs of an OpenAPI document. */
export interface OpenApiDocument {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiCall>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

interface OpenApiCall {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> };
}

/** A document with the calls of one tag, as they are, and with the schemas that they lead to. */
export function partOfOpenApi(document: OpenApiDocument, tag: string): OpenApiDocument {
  const { schemas } = document.components;
  const paths = Object.entries(document.paths).flatMap(([path, calls]) => {
    const own = Object.entries(calls).filter(([, { tags }]) => tags.includes(tag));
    return own.length === 0 ? [] : [[path, Object.fromEntries(own)] as const];
  });
  const needed = new Set<string>();
  const follow = (value: unknown) => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (needed.has(name!)) continue;
      needed.add(name!);
      follow(schemas[name!]);
    }
  };
  follow(paths);
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => needed.has(name)));
  return {
    ...document,
    tags: document.tags.filter(({ name }) => name === tag),
    paths: Object.fromEntries(paths),
    components: { ...document.components, schemas: kept },
  };
}
