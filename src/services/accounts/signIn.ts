// Signing in with a wallet: a nonce for one browser, a message that only this site can use, and a new session.
import { randomBytes } from 'node:crypto';
import type { EvmChain, Hex } from '../../chain/rpc/client.ts';
import { messageHash, type Proof, proveSignature } from '../../chain/signing/signatures.ts';
import { readSignInMessage, type SignInMessage } from '../../chain/signing/siwe.ts';
import { type Ctx, evmChains } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { SIGN_IN_TTL_MS } from '../../domain/session.ts';
import { type AccountView, accountOf, createSession, hashToken, newToken } from './sessions.ts';

const STATEMENT = 'Sign in to Ampersat. This moves no money and allows nothing.';

/** What the page builds the message from, with the wallet's address and one of the chain ids. */
export type SignInStart = {
  nonce: string;
  domain: string;
  uri: string;
  statement: string;
  version: '1';
  chains: { name: string; label: string; chain_id: number }[];
  issued_at: string;
  expires_at: string;
};

/** @returns the fields of the message, and the value of the pre-login cookie that the nonce is bound to */
export async function startSignIn(ctx: Ctx): Promise<{ start: SignInStart; browser: string }> {
  const now = ctx.clock.now();
  const browser = newToken();
  const nonce = randomBytes(16).toString('hex');
  const createdAt = new Date(now);
  const expiresAt = new Date(now + SIGN_IN_TTL_MS);
  await ctx.db.signInNonce.create({ data: { nonce, browserHash: hashToken(browser), createdAt, expiresAt } });
  const start: SignInStart = {
    nonce,
    ...site(ctx),
    statement: STATEMENT,
    version: '1',
    chains: Object.values(evmChains(ctx)).map(({ name, facts }) => ({
      name,
      label: facts.label,
      chain_id: facts.chainId,
    })),
    issued_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
  return { start, browser };
}

export type SignIn = {
  message: string;
  signature: Hex;
  /** The pre-login cookie that this browser brought. */
  browser: string | undefined;
  /** The session that this browser was in until now: it ends. */
  former: string | undefined;
  userAgent: string;
};

/**
 * Checks everything about a signed message and opens a session with a value of our own.
 * @throws AppError `parameter_invalid` for a message that is not for this site, chain or time; `sign_in_expired` for a nonce that is over,
 * used, or another browser's; `signature_invalid`; `provider_unavailable` when a contract wallet cannot be queried
 */
export async function finishSignIn(ctx: Ctx, signIn: SignIn): Promise<{ account: AccountView; token: string }> {
  const fields = readSignInMessage(signIn.message);
  if (!fields) throw wrong('it is not a sign-in message');
  const chain = checkFields(ctx, fields);
  const nonce = { nonce: fields.nonce, browserHash: hashToken(signIn.browser ?? ''), usedAt: null };
  const fresh = { ...nonce, expiresAt: { gt: new Date(ctx.clock.now()) } };
  if ((await ctx.db.signInNonce.count({ where: fresh })) === 0) throw new AppError('sign_in_expired');
  const hash = messageHash(signIn.message);
  const proof = await proveSignature(chain, { address: fields.address, hash, signature: signIn.signature });
  if (!proof) throw new AppError('signature_invalid');
  return ctx.db
    .$transaction(async (tx) => {
      const { count } = await tx.signInNonce.updateMany({ where: fresh, data: { usedAt: new Date(ctx.clock.now()) } });
      if (count === 0) throw new AppError('sign_in_expired');
      const handleId = await handleOf(tx, fields.address, proof, chain);
      if (signIn.former !== undefined) {
        await tx.session.updateMany({
          where: { tokenHash: hashToken(signIn.former), revokedAt: null },
          data: { revokedAt: new Date(ctx.clock.now()) },
        });
      }
      const where = proof === 'contract' ? chain.name : null;
      const given = { address: fields.address, kind: proof, chain: where, handleId, userAgent: signIn.userAgent };
      return createSession(ctx, tx, given);
    })
    .then(async ({ id, token }) => ({ account: await accountOf(ctx, id), token }));
}

function site(ctx: Ctx): { domain: string; uri: string } {
  const { host, origin } = new URL(ctx.env.BASE_URL);
  return { domain: host, uri: origin };
}

function checkFields(ctx: Ctx, fields: SignInMessage): EvmChain {
  const { domain, uri } = site(ctx);
  const now = ctx.clock.now();
  if (fields.domain !== domain) throw wrong('it is for another site');
  if (fields.uri !== uri) throw wrong('its URI is not ours');
  if (fields.version !== '1') throw wrong('its version is not 1');
  const chain = Object.values(evmChains(ctx)).find((one) => one.facts.chainId === fields.chainId);
  if (!chain) throw wrong('its chain is not served here');
  if (Math.abs(now - fields.issuedAt) > SIGN_IN_TTL_MS) throw wrong('it was not issued just now');
  if (fields.notBefore !== null && now < fields.notBefore) throw wrong('it is not valid yet');
  if (fields.expirationTime !== null && now >= fields.expirationTime) throw wrong('it has expired');
  return chain;
}

function wrong(why: string): AppError {
  return new AppError('parameter_invalid', `Invalid sign-in message: ${why}.`, { param: 'message' });
}

/**
 * The handle of the wallet that signed. Code may stand at one address on several chains under different owners, so a contract wallet gets in
 * only where it has proven itself, and where a key was known from the start, code that came later does not speak for it.
 */
async function handleOf(tx: Tx, address: string, proof: Proof, chain: EvmChain): Promise<string | null> {
  const wallet = await tx.wallet.findUnique({ where: { family_address: { family: 'evm', address } } });
  if (!wallet) return null;
  if (proof === 'account') return wallet.handleId;
  if (wallet.kind === 'contract' && wallet.provenChains.includes(chain.name)) return wallet.handleId;
  throw new AppError(
    'signature_invalid',
    wallet.kind === 'contract'
      ? `This smart wallet isn’t verified on ${chain.facts.label}. Sign in on a network where it is.`
      : 'This account signs in with its own key. Sign in with that key.',
  );
}
