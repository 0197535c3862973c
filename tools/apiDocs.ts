// docs/api/openapi.json and the table of docs/errors.md: copies of what the service itself gives, so that a change of the public API shows in a review;
// and the SDK's types of it.
// `npx tsx tools/apiDocs.ts` writes them; a test says when that was forgotten.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ERRORS, type ErrorCode, v1StatusOf } from '../src/domain/errors.ts';
import { apiDocument } from '../src/http/v1/document.ts';
import { ROOT } from '../src/root.ts';
import { readDocument, sdkTypes } from './sdkTypes.ts';

/** Files by their path in the repository. */
export function apiDocs(): Record<string, string> {
  return {
    'docs/api/openapi.json': `${JSON.stringify(apiDocument('https://pay.example'), null, 2)}\n`,
    'docs/errors.md': errorsPage(),
  };
}

/** The guide is written by hand, the table behind this line is not. */
const TABLE_BEHIND = '<!-- The table is written by `npx tsx tools/apiDocs.ts` from src/domain/errors.ts. -->';

function errorsPage(): string {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).sort((a, b) => ERRORS[a].status - ERRORS[b].status);
  const rows = codes.map((code) => {
    const { type, retryable, message } = ERRORS[code];
    const statuses = [...new Set([v1StatusOf(code), ERRORS[code].status])].join(' under /v1, else ');
    return `| <a id="${code}"></a>\`${code}\` | ${statuses} | \`${type}\` | ${retryable ? 'yes' : 'no'} | ${message} |`;
  });
  const [guide] = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8').split(TABLE_BEHIND);
  return `${guide}${TABLE_BEHIND}

| code | status | type | retryable | message |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of Object.entries(apiDocs())) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
  }
  writeFileSync(join(ROOT, 'sdk/types.ts'), await sdkTypes(readDocument()));
}
