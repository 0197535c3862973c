// Platforms' documents are large: only the operations that a test is about are kept, with whatever they refer to, so that checking costs little.
type Node = { [name: string]: unknown };
export type OpenApiDocument = Node & { paths: Record<string, Node>; components: Record<string, Node> };

export const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const REFERENCE = /^#\/components\/([^/]+)\/([^/]+)$/;

/** @throws Error when the document does not know one of the operations */
export function cutDocument(document: OpenApiDocument, operations: readonly string[]): OpenApiDocument {
  const left = new Set(operations);
  const paths: OpenApiDocument['paths'] = {};
  for (const [path, item] of Object.entries(document.paths)) {
    const kept = METHODS.filter((method) => left.delete(String((item[method] as Node | undefined)?.['operationId'])));
    if (kept.length === 0) continue;
    paths[path] = Object.fromEntries(
      Object.entries(item).filter(([key]) => !METHODS.includes(key) || kept.includes(key)),
    );
  }
  if (left.size > 0) throw new Error(`the document does not know ${[...left].join(', ')}`);
  const { securitySchemes = {} } = document.components;
  const components: OpenApiDocument['components'] = { securitySchemes };
  collect(document, paths, components);
  const { openapi, info } = document;
  return { openapi, info, paths, components };
}

/** Copies into `components` what a part of the document refers to, and what that refers to in turn. */
function collect(document: OpenApiDocument, part: unknown, components: OpenApiDocument['components']): void {
  if (typeof part === 'object' && part !== null) {
    for (const inner of Object.values(part)) collect(document, inner, components);
    return;
  }
  const [, kind = '', name = ''] = typeof part === 'string' ? (REFERENCE.exec(part) ?? []) : [];
  const named = document.components[kind]?.[name];
  if (named === undefined || components[kind]?.[name] !== undefined) return;
  components[kind] = { ...components[kind], [name]: named };
  collect(document, named, components);
}
