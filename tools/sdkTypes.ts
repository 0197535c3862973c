// sdk/types.ts: the types of the public API, made from its OpenAPI document, so that the SDK says what the service does.
// `npx tsx tools/apiDocs.ts` writes the file beside the document; a test says when that was forgotten.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'json-schema-to-typescript';
import { ROOT } from '../src/root.ts';

type Schema = { [name: string]: unknown };
type Parameter = { in: string; name: string; required?: boolean; schema: Schema; description?: string };
type Content = { content?: Record<string, { schema: Schema }> };
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
export type Document = {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** There is an Error and an Event in the language already. */
const NAMES: Record<string, string> = { Error: 'ErrorBody', Event: 'AmpersatEvent' };
const nameOf = (schema: string) => NAMES[schema] ?? schema;

const BANNER = '// Generated from docs/api/openapi.json by tools/sdkTypes.ts; do not edit.';

/** The text of sdk/types.ts for a document: each of its named schemas, and what each operation takes and answers. */
export async function sdkTypes(document: Document): Promise<string> {
  const definitions = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [nameOf(name), schema]),
  );
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    const name = operation.operationId.replace(/^./, (letter) => letter.toUpperCase());
    const params = queryOf(operation) ?? jsonOf(operation.requestBody);
    if (params && Object.keys(params['properties'] ?? {}).length > 0) definitions[`${name}Params`] = params;
    const answer = jsonOf(Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]);
    if (answer && !('$ref' in answer)) definitions[`${name}Answer`] = answer;
  }
  const compiled = await compile(moved({ title: 'Everything', definitions }), 'Everything', {
    additionalProperties: false,
    bannerComment: '',
    unreachableDefinitions: true,
    // `string[]` with a minimum or a maximum is a list, not a union of tuples.
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 120 },
  });
  const types = compiled
    // The schema that holds the others is nothing of the API, nor is where the generator found each.
    .replace(/export interface Everything \{[^}]*\}\n/, '')
    .replace(/^ \*\n \* This interface was referenced by .*\n \* via the `definition` .*\n/gm, '')
    .replace(/^\/\*\*\n \* This interface was referenced by .*\n \* via the `definition` .*\n \*\/\n/gm, '')
    .replace(/^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm, '$1/** $2 */')
    .replace(/^\}\n(?=\S)/gm, '}\n\n');
  const version = `/** The version of the API that these types are of. */\nexport const API_VERSION = '${document.info.version}';\n`;
  return `${BANNER}\n\n${version}\n${types.trim()}\n`;
}

function queryOf({ parameters = [] }: Operation): Schema | null {
  const query = parameters.filter((one) => one.in === 'query');
  if (query.length === 0) return null;
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(query.map(({ name, schema, description }) => [name, { description, ...schema }])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
}

function jsonOf(part: Content | undefined): Schema | null {
  return part?.content?.['application/json']?.schema ?? null;
}

/** The same with its references where they are now. */
function moved(schema: Schema): Schema {
  return JSON.parse(
    JSON.stringify(schema).replaceAll(
      /"#\/components\/schemas\/(\w+)"/g,
      (_, name) => `"#/definitions/${nameOf(name)}"`,
    ),
  );
}

export function readDocument(): Document {
  return JSON.parse(readFileSync(join(ROOT, 'docs/api/openapi.json'), 'utf8'));
}
