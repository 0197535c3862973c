// Tabs in a world: wallets that open and refund them by themselves, and both keys that pay them out.
import { createWalletClient, encodeFunctionData, erc20Abi, type Hash, type Hex, maxUint256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ROLES } from '../../local/stack/roles.ts';
import { encodeEscrowRefund, encodeOpen, escrowOnChainId, handleKey } from '../../src/chain/routers/escrow.ts';
import { type EscrowTip, encodeEscrowTip, escrowOfTip } from '../../src/chain/routers/openEscrows.ts';
import type { Address, EvmChain } from '../../src/chain/rpc/client.ts';
import { rpcTransport } from '../../src/chain/rpc/transport.ts';
import { authorityAccount } from '../../src/chain/signing/attestation.ts';
import type { Ctx } from '../../src/context.ts';
import type { EscrowTerms } from '../../src/domain/typedData/escrow.ts';
import { attestClaims } from '../../src/services/escrow/attestation.ts';
import type { OnChainArgs } from '../../src/services/escrow/staging.ts';
import { indexChain } from '../../src/services/operations/feed.ts';
import { submit } from '../../src/services/outgoing/submit.ts';
import { localPerson, type World } from './world.ts';

const HANDS = authorityAccount(ROLES.authority.key);

/** An executor takes a tip into a tab that no command asked for, so that no row of ours knows the tab. */
export async function openEscrowByTip(ctx: Ctx, chain: EvmChain, tip: EscrowTip): Promise<{ escrow: EscrowTerms }> {
  const call = { to: chain.routers.bot, data: encodeEscrowTip(tip), gas: 300_000n };
  await submit(ctx, chain, { kind: 'escrow_open', subjectId: tip.messageKey, ...call });
  return { escrow: escrowOfTip(tip) };
}

export type Escrows = ReturnType<typeof escrowsOf>;

export function escrowsOf(world: World) {
  const chain = () => world.evmChain();
  const approved = new Set<string>();
  let numbers = BigInt(Math.floor(Math.random() * 1e12));

  async function send(name: string, to: Address, data: Hex): Promise<Hash> {
    const wallet = createWalletClient({
      account: privateKeyToAccount(localPerson(name).key),
      transport: rpcTransport(world.anvilOf().rpcUrl),
    });
    const hash = await wallet.sendTransaction({ to, data, chain: null, gas: 400_000n });
    await world.taken();
    return hash;
  }

  const escrows = {
    send,
    /** The chain's time, in seconds. */
    now: async () => (await world.reader().getBlock()).timestamp,
    /** Moves our clock and the chain's. */
    async later(given: number) {
      const seconds = Math.round(given);
      world.later(seconds * 1_000);
      await world.admin().increaseTime({ seconds });
      await world.mine(1);
    },
    async approve(name: string) {
      if (approved.has(name)) return;
      approved.add(name);
      const args = [chain().routers.escrow, maxUint256] as const;
      await send(name, chain().usdc, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }));
    },
    /** An escrow that was opened without us: no row knows it. */
    async terms(name: string, slug: string, more: Partial<EscrowTerms> = {}): Promise<EscrowTerms> {
      numbers += 1n;
      const deadline = (await escrows.now()) + 7_200n;
      const sender = localPerson(name).address;
      const key = handleKey(slug);
      return {
        sender,
        token: chain().usdc,
        handleKey: key,
        amount: 1_000_000n,
        deadline,
        senderNonce: numbers,
        revocable: false,
        ...more,
      };
    },
    idOf: (escrow: EscrowTerms) => escrowOnChainId(chain(), escrow.sender as Address, escrow.senderNonce),
    /** The wallet opens a tab: with what was staged for it, or terms of its own. */
    async open(name: string, given: OnChainArgs | EscrowTerms): Promise<Hash> {
      await escrows.approve(name);
      const escrow: EscrowTerms = 'router' in given ? stagedTerms(localPerson(name).address, given) : given;
      return send(name, chain().routers.escrow, encodeOpen(escrow, { way: 'direct' }));
    },
    refund: (name: string, tab: EscrowTerms) => send(name, chain().routers.escrow, encodeEscrowRefund(tab)),
    index: () => indexChain(world.ctx, chain()),
    /** Blocks enough for what is mined to be final, and our rows see it. */
    async settle() {
      await world.watch();
      await world.mine(3);
      await world.watch();
      await escrows.index();
    },
    /** Signer and executor, once each, and what they did final. */
    async pay() {
      await attestClaims(world.ctx, { evm: HANDS });
      await world.send();
      await escrows.settle();
    },
    attest: () => attestClaims(world.ctx, { evm: HANDS }),
    /** Sends what wallets signed. */
    async sendSigned() {
      await world.send();
      await escrows.settle();
    },
    row: (escrow: EscrowTerms) =>
      world.ctx.db.escrow.findUnique({ where: { chain_tabId: { chain: 'base', tabId: escrows.idOf(escrow) } } }),
  };
  return escrows;
}

export function stagedTerms(sender: Address, args: OnChainArgs): EscrowTerms {
  return {
    sender,
    token: args.stable as Address,
    handleKey: args.handleKey as Hex,
    amount: BigInt(args.amount),
    deadline: BigInt(args.deadline),
    senderNonce: BigInt(args.senderNonce),
    revocable: args.revocable,
  };
}
