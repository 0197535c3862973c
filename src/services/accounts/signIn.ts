// Signing in with a wallet of either family: a nonce for one browser, a message that only this site can use, and a new session.
import { randomBytes } from 'node:crypto';
import type { EvmChain, Hex } from '../../chain/rpc/client.ts';
import { isSolanaSignature } from '../../chain/signing/ed25519.ts';
import { messageHash, type Proof, proveSignature } from '../../chain/signing/signatures.ts';
import { readSignInMessage, type SignInTerms } from '../../chain/signing/siwe.ts';
import { readSolanaSignIn } from '../../chain/signing/siws.ts';
import { type Ctx, evmChains } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { SIGN_IN_TTL_MS } from '../../domain/session.ts';
import { SIGN_IN_STATEMENT } from '../../domain/signInStatement.ts';
import { isSameCluster, type SolanaCluster } from '../../domain/solanaSignIn.ts';
import { type AccountView, accountOf, createSession, hashToken, newToken } from './sessions.ts';

/** What the page builds the message from, with the wallet's address and one of the chain ids; of Solana there is one. */
export type SignInStart = {
  nonce: string;
  domain: string;
  uri: string;
  statement: string;
  version: '1';
  chains: { name: string; label: string; chain_id: number }[];
  solana: { chain_id: SolanaCluster };
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
    statement: SIGN_IN_STATEMENT,
    version: '1',
    chains: Object.values(evmChains(ctx)).map(({ name, facts }) => ({
      name,
      label: facts.label,
      chain_id: facts.chainId,
    })),
    solana: { chain_id: clusterOf(ctx) },
    issued_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
  return { start, browser };
}

/** Accounts of Solana are the same on every cluster, so only a local stack has one of its own. */
function clusterOf(ctx: Ctx): SolanaCluster {
  return Object.values(ctx.chains).some(({ local }) => local) ? 'localnet' : 'mainnet';
}

export type SignIn<Signature = Hex> = {
  message: string;
  signature: Signature;
  /** The pre-login cookie that this browser brought. */
  browser: string | undefined;
  /** The session that this browser was in until now: it ends. */
  former: string | undefined;
  userAgent: string;
};

/** What a valid signature proved: which wallet, and how and where. */
type Proven = { address: string; kind: Proof; chain: string | null };
export type SignedIn = { account: AccountView; token: string };

/**
 * Checks everything about a message signed by an EVM wallet and opens a session with a value of our own.
 * @throws AppError `parameter_invalid` for a message that is not for this site, chain or time; `sign_in_expired` for a nonce that is over,
 * used, or another browser's; `signature_invalid`; `provider_unavailable` when a contract wallet cannot be queried
 */
export async function finishSignIn(ctx: Ctx, signIn: SignIn): Promise<SignedIn> {
  const fields = readSignInMessage(signIn.message);
  if (!fields) throw wrong('it is not a sign-in message');
  checkFields(ctx, fields);
  const chain = Object.values(evmChains(ctx)).find((one) => one.facts.chainId === fields.chainId);
  if (!chain) throw wrong('its chain is not served here');
  await mustBeFresh(ctx, fields, signIn);
  const { address } = fields;
  const hash = messageHash(signIn.message);
  const kind = await proveSignature(chain, { address, hash, signature: signIn.signature });
  if (!kind) throw new AppError('signature_invalid');
  const proven = { address, kind, chain: kind === 'contract' ? chain.name : null };
  return openSession(ctx, signIn, fields, proven, (tx) => handleOf(tx, address, kind, chain));
}

/**
 * The same for a wallet of Solana. The text is the one that the wallet signed, which may have written it itself (`solana:signIn`).
 * @param signIn its signature in base58
 * @throws AppError as {@link finishSignIn}, without `provider_unavailable`
 */
export async function finishSolanaSignIn(ctx: Ctx, signIn: SignIn<string>): Promise<SignedIn> {
  const fields = readSolanaSignIn(signIn.message);
  if (!fields) throw wrong('it is not a sign-in message');
  checkFields(ctx, fields);
  if (!isSameCluster(fields.chainId, clusterOf(ctx))) throw wrong('its chain is not served here');
  await mustBeFresh(ctx, fields, signIn);
  const { address } = fields;
  if (!isSolanaSignature({ address, text: signIn.message, signature: signIn.signature }))
    throw new AppError('signature_invalid');
  return openSession(ctx, signIn, fields, { address, kind: 'account', chain: null }, async (tx) => {
    const wallet = await tx.wallet.findUnique({ where: { family_address: { family: 'solana', address } } });
    return wallet?.handleId ?? null;
  });
}

/** A nonce of this browser that was not used and is not over. */
function freshNonce(ctx: Ctx, { nonce }: SignInTerms, { browser }: Pick<SignIn, 'browser'>) {
  const expiresAt = { gt: new Date(ctx.clock.now()) };
  return { nonce, browserHash: hashToken(browser ?? ''), usedAt: null, expiresAt };
}

async function mustBeFresh(ctx: Ctx, fields: SignInTerms, signIn: Pick<SignIn, 'browser'>): Promise<void> {
  if ((await ctx.db.signInNonce.count({ where: freshNonce(ctx, fields, signIn) })) === 0)
    throw new AppError('sign_in_expired');
}

/** Uses the nonce up; the former session of the browser ends. */
async function openSession(
  ctx: Ctx,
  signIn: Omit<SignIn, 'message' | 'signature'>,
  fields: SignInTerms,
  proven: Proven,
  findHandle: (tx: Tx) => Promise<string | null>,
): Promise<SignedIn> {
  const { id, token } = await ctx.db.$transaction(async (tx) => {
    const now = new Date(ctx.clock.now());
    const where = freshNonce(ctx, fields, signIn);
    const { count } = await tx.signInNonce.updateMany({ where, data: { usedAt: now } });
    if (count === 0) throw new AppError('sign_in_expired');
    const handleId = await findHandle(tx);
    if (signIn.former !== undefined) {
      await tx.session.updateMany({
        where: { tokenHash: hashToken(signIn.former), revokedAt: null },
        data: { revokedAt: now },
      });
    }
    return createSession(ctx, tx, { ...proven, handleId, userAgent: signIn.userAgent });
  });
  return { account: await accountOf(ctx, id), token };
}

/** The site's name in messages, and its origin. */
export function site(ctx: Ctx): { domain: string; uri: string } {
  const { host, origin } = new URL(ctx.env.BASE_URL);
  return { domain: host, uri: origin };
}

function checkFields(ctx: Ctx, fields: SignInTerms): void {
  const { domain, uri } = site(ctx);
  const now = ctx.clock.now();
  if (fields.domain !== domain) throw wrong('it is for another site');
  if (fields.uri !== uri) throw wrong('its URI is not ours');
  if (fields.version !== '1') throw wrong('its version is not 1');
  if (Math.abs(now - fields.issuedAt) > SIGN_IN_TTL_MS) throw wrong('it was not issued just now');
  if (fields.notBefore !== null && now < fields.notBefore) throw wrong('it is not valid yet');
  if (fields.expirationTime !== null && now >= fields.expirationTime) throw wrong('it has expired');
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
