// A database of a test's own, copied from the migrated template in a few milliseconds.
import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { createDatabase, dropDatabase } from '../../local/postgres/postgres.ts';

export type OwnDatabase = { url: string; drop: () => Promise<void> };

/** @returns the URL of a fresh, migrated database, and how to drop it */
export const freshDatabase = () => copyOf('template_ampersat');

/** The same with the people of the local stack in it. */
export const seededDatabase = () => copyOf(inject('seededWorld').database);

async function copyOf(template: string): Promise<OwnDatabase> {
  // Not connected to the template itself: a copy waits for everybody else to leave it.
  const server = inject('postgresUrl').replace('/template_ampersat', '/postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = await createDatabase(server, name, template);
  return { url, drop: () => dropDatabase(server, name) };
}

/** The same, dropped when the test ends. */
export async function databaseForTest(): Promise<string> {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  return url;
}
