import { parseSync } from 'oxc-parser';

/** One import of a file, whatever its form: static, type-only, re-export, dynamic, or a type by `import()`. */
export interface ImportFound {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

export interface SourceFile {
  readonly imports: readonly ImportFound[];
  readonly isBarrel: boolean;
  readonly hasDefaultExport: boolean;
  /** Uses the global `process`. */
  readonly usesProcess: boolean;
  /** Where each function begins, and its own lines: those of the functions inside it are theirs. */
  readonly functions: readonly { readonly line: number; readonly lines: number }[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Reads what a TypeScript file imports and exports. Throws where it does not parse. */
export function readSource(path: string, text: string): SourceFile {
  const { module, program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const imports: ImportFound[] = module.staticImports.map((found) => ({
    specifier: found.moduleRequest.value,
    typeOnly: found.entries.length > 0 && found.entries.every((entry) => entry.isType),
  }));
  const exported = module.staticExports.flatMap((found) => found.entries);
  for (const entry of exported) {
    if (entry.moduleRequest !== null) imports.push({ specifier: entry.moduleRequest.value, typeOnly: entry.isType });
  }
  for (const found of module.dynamicImports) {
    const literal = text.slice(found.moduleRequest.start, found.moduleRequest.end);
    const quoted = /^(['"`])([^'"`$]*)\1$/.exec(literal);
    if (quoted === null) throw new Error(`${path}: import(${literal}) is not of a plain text`);
    imports.push({ specifier: quoted[2]!, typeOnly: false });
  }
  const functions: { line: number; lines: number }[] = [];
  const around: (typeof functions)[number][] = [];
  let usesProcess = false;
  visit(program as unknown as Node, null, (node, parent) => {
    if (node.type === 'TSImportType') {
      imports.push({ specifier: String((node['source'] as Node)['value']), typeOnly: true });
    }
    if (node.type === 'Identifier' && node['name'] === 'process' && !isPropertyName(node, parent)) usesProcess = true;
    if (!FUNCTIONS.has(node.type)) return undefined;
    const lines = linesIn(text, node);
    const outer = around.at(-1);
    if (outer !== undefined) outer.lines -= lines - 1;
    const found = { line: lineOf(text, node.start), lines };
    functions.push(found);
    around.push(found);
    return () => around.pop();
  });
  return {
    imports,
    isBarrel: exported.length > 0 && exported.every((entry) => entry.moduleRequest !== null),
    hasDefaultExport: exported.some((entry) => entry.exportName.kind === 'Default'),
    usesProcess,
    functions,
  };
}

/** Walks the tree; `see` is called on the way in, and what it returns on the way out. */
function visit(
  node: Node,
  parent: Node | null,
  see: (node: Node, parent: Node | null) => (() => void) | undefined,
): void {
  const leave = see(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string') {
        visit(child as Node, node, see);
      }
    }
  }
  leave?.();
}

/** `x.process`, `{ process() {} }` and `interface X { process(): void }` name a property, not the global. */
function isPropertyName(node: Node, parent: Node | null): boolean {
  if (parent === null || parent['computed'] === true) return false;
  return parent['property'] === node || parent['key'] === node;
}

const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length;
const linesIn = (text: string, node: Node) => text.slice(node.start, node.end).split('\n').length;
