// Every route of /api that is data admits those that it states, and no others.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { ERRORS, type ErrorCode } from '../../domain/errors.ts';
import type { Access, Route } from './route.ts';
import { ROUTES } from './routes.ts';

let world: World;
let anonymous: Visitor;
let handleless: Visitor;
beforeAll(async () => {
  world = await startWorld();
  const base = await serveWorld(world);
  [anonymous, handleless] = [visitor(base), visitor(base)];
  await handleless.signIn(privateKeyToAccount(generatePrivateKey()));
});
afterAll(() => world.stop());

/** The error of a caller who is not admitted; null for one who is. */
const REFUSALS: Record<Access, { anonymous: ErrorCode | null; handleless: ErrorCode | null }> = {
  anyone: { anonymous: null, handleless: null },
  visitor: { anonymous: null, handleless: null },
  // What it says to whom is its route's own.
  maybe: { anonymous: 'session_required', handleless: 'handle_required' },
  session: { anonymous: 'session_required', handleless: null },
  handle: { anonymous: 'session_required', handleless: 'handle_required' },
  sponsor: { anonymous: 'session_required', handleless: 'handle_required' },
  operator: { anonymous: 'admin_secret_invalid', handleless: 'admin_secret_invalid' },
};

async function expectAdmission(
  who: Visitor,
  { method, path }: Route,
  code: ErrorCode | null,
  headers: Record<string, string> = {},
): Promise<void> {
  const body = method === 'get' ? undefined : {};
  const answer = await who.send(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'some_id'), body, headers);
  if (code === null) expect([401, 403]).not.toContain(answer.status);
  else expect([answer.status, answer.body.error.code]).toEqual([ERRORS[code].status, code]);
}

test.each(ROUTES.map((one) => [`${one.method} ${one.path}`, one] as const))('%s', async (_name, one) => {
  await expectAdmission(anonymous, one, REFUSALS[one.access].anonymous);
  await expectAdmission(handleless, one, REFUSALS[one.access].handleless);
  // The page is another account's, whoever is signed in by now.
  const isOnesOwn = REFUSALS[one.access].anonymous === 'session_required';
  if (isOnesOwn) await expectAdmission(handleless, one, 'account_changed', { 'ampersat-account': '@alice' });
});
