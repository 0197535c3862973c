// The OpenAPI document: valid in itself, public, and the same as the committed copy.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { ApiDocument } from '../../../test/setup/api.ts';
import { apiDocs } from '../../../tools/apiDocs.ts';
import { v1StatusOf } from '../../domain/errors.ts';
import { ROOT } from '../../root.ts';
import { apiDocument, errorsOf } from './document.ts';
import { ENDPOINTS } from './endpoints.ts';

const document = apiDocument('https://pay.example') as unknown as ApiDocument;

test('the committed copies are fresh (npx tsx tools/apiDocs.ts writes them)', () => {
  for (const [path, text] of Object.entries(apiDocs())) expect(readFileSync(join(ROOT, path), 'utf8'), path).toBe(text);
});

test('it is OpenAPI 3.1 with every endpoint, and every schema in it compiles', () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  for (const { path, method, status } of ENDPOINTS) {
    const operation = document.paths[path]?.[method];
    expect(operation, `${method} ${path}`).toBeDefined();
    for (const [code, response] of Object.entries(operation?.responses ?? {})) {
      const schema = Object.values(response.content)[0]?.schema;
      const resolved = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
      expect(typeof ajv.compile(resolved), `${method} ${path} ${code}`).toBe('function');
    }
    expect(Object.keys(operation?.responses ?? {})).toContain(String(status));
  }
  const names = ENDPOINTS.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
});

test('every error of an endpoint stands there under its status', () => {
  for (const one of ENDPOINTS) {
    const { responses } = document.paths[one.path]?.[one.method] ?? { responses: {} };
    for (const code of errorsOf(one)) {
      const text = JSON.stringify(responses[v1StatusOf(code)]?.content['application/json'].schema);
      expect(text, `${one.operationId} ${code}`).toContain(`"${code}"`);
    }
  }
});
