// A world with a Solana cluster and tabs on it: opened by tips and by wallets, claimed by both keys, and followed into our rows.
import { createHash } from 'node:crypto';
import { localSolanaKey } from '../../local/solana/keys.ts';
import { limitsOf, tabIdOf, tabOf, tokenAccount } from '../../src/chain/solana/addresses.ts';
import { createSolanaChain, solanaKeyOf } from '../../src/chain/solana/client.ts';
import { decodePayload, encodeInstructions } from '../../src/chain/solana/payload.ts';
import { readTipTerms, type SolanaTip, solanaTipCall } from '../../src/chain/solana/tips.ts';
import type { TabAuthority } from '../../src/chain/tabs.ts';
import type { Row } from '../../src/db.ts';
import { handleKeyOf } from '../../src/domain/escrowCalls.ts';
import type { TabTerms } from '../../src/domain/typedData/escrow.ts';
import { attestClaims } from '../../src/services/escrow/attestation.ts';
import { indexChain } from '../../src/services/operations/feed.ts';
import { type JoinOptions, joinSolana } from './solanaInWorld.ts';
import type { World } from './world.ts';

export const FINALIZED_AFTER = 4;
/** Of each tab, unless a test says otherwise. */
export const TAB_UNITS = 2_000_000n;
const TWO_HOURS = 7_200n;

export type SolanaTabs = Awaited<ReturnType<typeof startSolanaTabs>>;

export async function startSolanaTabs(world: World, options: JoinOptions = {}) {
  const { ctx } = world;
  const solana = await joinSolana(ctx, { finalizedAfter: FINALIZED_AFTER, ...options });
  const { program, usdc, chain, config } = solana;
  const authority: TabAuthority = { solana: solanaKeyOf(solana.roles.authority.secretBytes) };
  const [executor] = solana.roles.executors;
  if (!executor) throw new Error('the cluster has an executor');
  let number = 0;

  const tabs = {
    solana,
    chain,
    authority,
    executor,
    /** The same cluster by two endpoints, whose word counts as on a real network. */
    twice: () => createSolanaChain('solana', { ...config, rpcUrls: [solana.node.url, solana.node.url], local: false }),
    handleId: async (slug: string) => (await ctx.db.handle.findUniqueOrThrow({ where: { slug } })).id,
    /** Gives a handle a Solana wallet, with money unless it is new to the chain. */
    async walletOf(slug: string, { name = slug, isNew = false } = {}): Promise<string> {
      const { address } = isNew ? localSolanaKey(name) : solana.person(name);
      const handleId = await tabs.handleId(slug);
      await ctx.db.wallet.upsert({
        where: { handleId_family: { handleId, family: 'solana' } },
        create: { handleId, family: 'solana', address, createdAt: new Date(ctx.clock.now()) },
        update: { address },
      });
      return address;
    },
    /** A tip of a sender with money, which lands in a tab; no row of ours knows it until the feed reads it. */
    async open(sender: string, slug: string, more: { amount?: bigint; deadline?: bigint } = {}): Promise<TabTerms> {
      number += 1;
      const now = BigInt(solana.now());
      const { amount = TAB_UNITS, deadline = now + TWO_HOURS } = more;
      const hash = createHash('sha256').update(`tab ${number}`).digest('hex').slice(0, 48);
      const messageKey = `0x${hash}${now.toString(16).padStart(16, '0')}` as const;
      const tip: SolanaTip = {
        to: 'tab',
        messageKey,
        sender,
        token: usdc,
        amount,
        validUntil: now + 900n,
        deadline,
        handleSlug: slug,
      };
      const call = solanaTipCall(chain, await readTipTerms(chain), [tip]);
      solana.send([executor], ...instructionsOf(call, executor.address));
      const handleKey = handleKeyOf(slug);
      return { sender, token: usdc, handleKey, amount, deadline, senderNonce: BigInt(messageKey), revocable: true };
    },
    /** The wallet opens it by itself. */
    openByWallet(name: string, slug: string, { revocable = false, deadline = BigInt(solana.now()) + TWO_HOURS } = {}) {
      const wallet = localSolanaKey(name);
      number += 1;
      const nonce = BigInt(solana.now()) * 2n ** 20n + BigInt(number);
      const tabId = tabIdOf(program, wallet.address, nonce);
      const handleKey = handleKeyOf(slug);
      const terms: TabTerms = {
        sender: wallet.address,
        token: usdc,
        handleKey,
        amount: TAB_UNITS,
        deadline,
        senderNonce: nonce,
        revocable,
      };
      const landed = solana.send(
        [wallet],
        solana.build('openTab', {
          args: { nonce, handleKey, amount: TAB_UNITS, deadline, revocable },
          accounts: {
            payer: wallet.address,
            sender: wallet.address,
            limits: limitsOf(program, wallet.address).address,
            source: tokenAccount(wallet.address, usdc).address,
            tab: tabOf(program, tabId).address,
            vaultAccount: tokenAccount(solana.fixed.vault, usdc).address,
          },
        }),
      );
      return { terms, landed };
    },
    idOf: ({ sender, senderNonce }: TabTerms) => tabIdOf(program, sender, senderNonce),
    row: (terms: TabTerms): Promise<Row<'Escrow'>> =>
      ctx.db.escrow.findUniqueOrThrow({ where: { chain_tabId: { chain: 'solana', tabId: tabs.idOf(terms) } } }),
    index: () => indexChain(ctx, chain),
    attest: (keys = authority) => attestClaims(ctx, keys),
    send: solana.sendNow,
    follow: solana.follow,
    confirm: solana.confirmSent,
    /** What landed is final, and our rows see it. */
    async settle() {
      await solana.settleSent();
      await tabs.index();
    },
    /** Signer and executor, once each, and what they did final. */
    async work() {
      await tabs.attest();
      await tabs.send();
      await tabs.settle();
    },
    /** Moves our clock and the chain's. */
    later(ms: number) {
      world.later(ms);
      solana.later(ms);
    },
    calls: () =>
      ctx.db.outgoingTx.findMany({
        where: { chain: 'solana' },
        include: { attempts: true },
        orderBy: { createdAt: 'asc' },
      }),
    stop: () => solana.stop(),
  };
  return tabs;
}

function instructionsOf(call: ReturnType<typeof solanaTipCall>, executor: string) {
  const payload = decodePayload(encodeInstructions(call.instructions), executor);
  if (!('instructions' in payload)) throw new Error('these are instructions');
  return payload.instructions;
}
