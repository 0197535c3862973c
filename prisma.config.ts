/** Where Prisma's CLI finds the schema, the migrations, the database, and an engine that needs no download. */
import path from 'node:path';
import { defineConfig } from 'prisma/config';

// The CLI reads this file before it looks for its engine. Windows cannot run the script as a program.
if (process.platform !== 'win32') {
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= path.join(import.meta.dirname, 'prisma/schema-engine.mjs');
}
const url = process.env['DATABASE_URL'];

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // `generate` needs no database; the commands that do say so themselves.
  ...(url ? { datasource: { url } } : {}),
});
