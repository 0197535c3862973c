// docs/api/openapi.json and docs/errors.md: copies of what the service itself gives, so that a change of the public API shows in a review; and the
// SDK's types of it.
// `npx tsx local/apiDocs.ts` writes them; a test says when that was forgotten.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ERRORS, type ErrorCode } from '../src/domain/errors.ts';
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

function errorsPage(): string {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).sort((a, b) => ERRORS[a].status - ERRORS[b].status);
  const rows = codes.map((code) => {
    const { status, type, retryable, message } = ERRORS[code];
    return `| <a id="${code}"></a>\`${code}\` | ${status} | \`${type}\` | ${retryable ? 'yes' : 'no'} | ${message} |`;
  });
  return `# Errors

Written by \`npx tsx local/apiDocs.ts\` from \`src/domain/errors.ts\`. The same list is at \`/docs/errors\` of the service, where \`doc_url\` of an answer leads.

\`{"error": {"type", "code", "message", "param", "request_id", "doc_url"}}\`: compare the \`code\`, which never changes. The message is for people and may say
more than it does here.

| code | status | type | may go well later | message |
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
