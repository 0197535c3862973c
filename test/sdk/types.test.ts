// The generated types are those of the document as it is now.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../src/root.ts';
import { readDocument, sdkTypes } from '../../tools/sdkTypes.ts';

test('sdk/types.ts is fresh (npx tsx tools/apiDocs.ts writes it)', async () => {
  expect(readFileSync(join(ROOT, 'sdk/types.ts'), 'utf8')).toBe(await sdkTypes(readDocument()));
});

test('a change of the document is a change of the types', async () => {
  const document = readDocument();
  Object.assign((document.components.schemas['Order'] as { properties: object }).properties, {
    tip: { type: 'number' },
  });
  expect(await sdkTypes(readDocument())).not.toContain('tip?');
  expect(await sdkTypes(document)).toContain('  tip?: number;\n');
});
