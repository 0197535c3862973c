// Handles: created, connected to platform accounts and paused here, never freed, reissued or moved.
import { type Ctx, newId } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { type HandleProblem, handleProblem, handleSkeleton } from '../../domain/handles.ts';
import { DEFAULT_COMMAND_CAP, DEFAULT_DAY_CAP } from '../../domain/limits.ts';
import { familyOf } from '../../domain/walletFamily.ts';
import { reaches } from '../../domain/walletReach.ts';
import { lockSender } from '../locks.ts';
import { transition } from '../transitions.ts';
import { wake } from '../wake.ts';
import { connectAccount, type NewConnection, noteSeen } from './connections.ts';
import { type AccountView, accountOf, type Session, sameWallet } from './sessions.ts';

export type NewHandle = {
  slug: string;
  kind: 'personal' | 'business';
  /** At least one of the two. */
  evmAddress?: string;
  solanaAddress?: string;
  /** An EVM wallet that is a contract: the chain on which it has proven a signature. */
  contractOn?: string | null;
};

/**
 * Creates a handle with its wallets.
 * @throws AppError `parameter_invalid` for a malformed or reserved name, `state_conflict` when it or a look-alike is taken, or when the
 * wallet has a handle already
 */
export async function createHandle(ctx: Ctx, given: NewHandle): Promise<string> {
  const problem = handleProblem(given.slug);
  if (problem) throw new AppError('parameter_invalid', PROBLEM_WORDS[problem](given.slug), { param: 'handle' });
  return ctx.db.$transaction((tx) => insertHandle(ctx, tx, given));
}

async function insertHandle(ctx: Ctx, tx: Tx, given: NewHandle): Promise<string> {
  const { slug, kind, evmAddress, solanaAddress, contractOn } = given;
  const id = newId(ctx, 'hdl');
  const createdAt = new Date(ctx.clock.now());
  const skeleton = handleSkeleton(slug);
  const caps = { commandCapMicros: DEFAULT_COMMAND_CAP, dayCapMicros: DEFAULT_DAY_CAP };
  // A contract wallet is paid only where it has proven itself, so that is where it wants to be paid; another one on a chain of its family.
  const family = evmAddress === undefined && solanaAddress !== undefined ? 'solana' : 'evm';
  const ofFamily = Object.values(CHAINS).find((facts) => facts.family === family)?.name;
  const onlyOn = contractOn ?? ofFamily ?? null;
  const preferred = onlyOn ? { preferredChain: onlyOn } : {};
  const handle = { id, slug, skeleton, kind, createdAt, ...caps, ...preferred };
  const inserted = await tx.handle.createMany({ data: [handle], skipDuplicates: true });
  if (inserted.count === 0) throw new AppError('state_conflict', PROBLEM_WORDS.taken(slug));
  const proof = contractOn ? { kind: 'contract', provenChains: [contractOn] } : {};
  const wallets = [
    ...(evmAddress === undefined ? [] : [{ handleId: id, family: 'evm', address: evmAddress, createdAt, ...proof }]),
    ...(solanaAddress === undefined ? [] : [{ handleId: id, family: 'solana', address: solanaAddress, createdAt }]),
  ];
  const { count } = await tx.wallet.createMany({ data: wallets, skipDuplicates: true });
  if (count < wallets.length)
    throw new AppError('state_conflict', 'This wallet already has a handle. Sign in again to use it.');
  return id;
}

const PROBLEM_WORDS: Record<HandleProblem | 'taken', (slug: string) => string> = {
  format: () => 'A handle has 3 to 30 lower-case letters, digits and underscores.',
  reserved: (slug) => `@${slug} is reserved. Choose another handle.`,
  taken: (slug) => `@${slug}, or a handle that looks like it, is taken.`,
};

export type HandleCheck = {
  handle: string;
  available: boolean;
  reason: HandleProblem | 'taken' | null;
  message: string;
};

/** Whether a handle could be chosen now; only choosing it makes sure. */
export async function checkHandle(ctx: Ctx, slug: string): Promise<HandleCheck> {
  const problem = handleProblem(slug);
  const isTaken = async () => (await ctx.db.handle.count({ where: { skeleton: handleSkeleton(slug) } })) > 0;
  const reason = problem ?? ((await isTaken()) ? 'taken' : null);
  const message = reason ? PROBLEM_WORDS[reason](slug) : `@${slug} is free.`;
  return { handle: slug, available: reason === null, reason, message };
}

/**
 * Gives the signed-in wallet its handle, once, in all of its sessions.
 * @throws AppError as {@link createHandle}
 */
export async function chooseHandle(ctx: Ctx, session: Session, slug: string): Promise<AccountView> {
  if (session.handle) throw new AppError('state_conflict', `You already have the handle @${session.handle.slug}.`);
  const contractOn = session.kind === 'contract' ? session.chain : null;
  const { address } = session;
  const wallet = familyOf(address) === 'evm' ? { evmAddress: address, contractOn } : { solanaAddress: address };
  const handleId = await createHandle(ctx, { slug, kind: 'personal', ...wallet });
  await ctx.db.session.updateMany({ where: { ...sameWallet(session), revokedAt: null }, data: { handleId } });
  return accountOf(ctx, session.id);
}

/** Links a platform account that carries this username now to a handle. @throws AppError `state_conflict` when that account is linked already */
export async function createConnection(ctx: Ctx, connection: NewConnection): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    if (!(await connectAccount(ctx, tx, connection)))
      throw new AppError('state_conflict', 'This account is already connected. Disconnect it first.');
    const { platform, platformUserId: id, username } = connection;
    await noteSeen(tx, platform, [{ id, username, isBot: false }], ctx.clock.now());
  });
}

/**
 * Pauses all spending of a handle in our rows, also when it is paused: its wallet may have resumed on a chain since. `spending/pauses` sends the
 * transactions.
 */
export async function pauseHandle(ctx: Ctx, tx: Tx, handleId: string): Promise<Date> {
  const now = ctx.clock.now();
  await lockSender(tx, handleId);
  const { wallets } = await tx.handle.update({
    where: { id: handleId },
    data: { pausedAt: new Date(now) },
    include: { wallets: true },
  });
  // Also chains that only another process serves at the moment. On a chain where a contract wallet has not proven itself its address may belong to
  // another person, whose spending goes on.
  const configured = [...Object.keys(ctx.env.chains), ...(ctx.env.solana ? ['solana'] : [])];
  const chains = configured.filter((chain) => {
    const wallet = wallets.find(({ family }) => family === CHAINS[chain as ChainName].family);
    return wallet !== undefined && reaches(wallet, chain);
  });
  const since = new Date(now);
  const before = await tx.$queryRaw<{ id: string; chain: string; attempt: number }[]>`
    select id, chain, attempt from pause where handle_id = ${handleId} and chain = any(${chains}) order by id for update`;
  const patch = { outgoingTxId: null, since };
  await transition(
    ctx,
    tx,
    'pause',
    before.map(({ id, attempt }) => ({ id, action: 'want', patch: { ...patch, attempt: attempt + 1 } })),
  );
  const known = new Set(before.map(({ chain }) => chain));
  const first = chains.filter((chain) => !known.has(chain));
  await tx.pause.createMany({
    data: first.map((chain) => ({ id: newId(ctx, 'pse'), handleId, chain, status: 'wanted', attempt: 1, since })),
  });
  await wake(tx, 'pauses');
  return since;
}

/** A handle never changes its slug, so each process caches them. */
const slugs = new Map<string, string>();
const SLUGS = 10_000;

/** The slugs of handles by their ids. */
export async function slugsOfHandles(tx: Tx, ids: string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(ids);
  const known = new Map<string, string>();
  for (const id of wanted) {
    const slug = slugs.get(id);
    if (slug !== undefined) known.set(id, slug);
  }
  const unknown = [...wanted].filter((id) => !known.has(id));
  if (unknown.length === 0) return known;
  if (slugs.size > SLUGS) slugs.clear();
  for (const { id, slug } of await tx.handle.findMany({
    where: { id: { in: unknown } },
    select: { id: true, slug: true },
  })) {
    slugs.set(id, slug);
    known.set(id, slug);
  }
  return known;
}
