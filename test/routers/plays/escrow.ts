// Tabs: opened, claimed, refunded; the handle authority's rotation and the pause of claims.
import fc from 'fast-check';
import { encodeFunctionData, zeroAddress } from 'viem';
import { expect } from 'vitest';
import { escrowRouterAbi as abi } from '../../../src/chain/routers/abis/EscrowRouter.ts';
import {
  type EscrowPaymentMethod,
  encodeClaim,
  encodeEscrowRefund,
  encodeEscrowRefundBySig,
  encodeOpen,
  escrowEvents,
  escrowHash,
  escrowOnChainId,
  handleKey,
  openTotal,
  readChainStatus,
} from '../../../src/chain/routers/escrow.ts';
import { permitOf } from '../../../src/chain/signing/authorizations.ts';
import { claimData, type EscrowTerms, escrowRefundData, escrowStruct } from '../../../src/domain/typedData/escrow.ts';
import { authorizationData, permit2WitnessData } from '../../../src/domain/typedData/tokens.ts';
import { permitData } from '../../../src/domain/typedData.ts';
import * as rules from '../model/escrow.ts';
import { nonceOf, type Party, REFUSER } from '../model/ledger.ts';
import { mostly, PEOPLE, type Play, perform, rarely, type Stage, signAs, who } from './stage.ts';

const DAY = 86_400n;
const FAR = 2n ** 40n;
/** Numbers of message keys: the last tabs may also be opened by a tip. */
export const ESCROW_TIP_KEYS = [70, 71] as const;

/** Relative to the beginning of a run. */
export function escrows(start: bigint): rules.ModelEscrow[] {
  const one = (
    senderNonce: number,
    rest: Pick<rules.ModelEscrow, 'sender' | 'token' | 'amount' | 'revocable'>,
    days: bigint,
  ) => ({
    handle: `handle${senderNonce}`,
    deadline: start + days * DAY,
    senderNonce: BigInt(senderNonce),
    ...rest,
  });
  return [
    one(0, { sender: 'alice', token: 'usdc', amount: 3_000_000n, revocable: true }, 30n),
    one(1, { sender: 'alice', token: 'usdc', amount: 7_000_000n, revocable: false }, 3n),
    one(0, { sender: 'bob', token: 'wrapped', amount: 10n ** 17n, revocable: true }, 20n),
    one(1, { sender: 'bob', token: 'usdc', amount: 11_000_000n, revocable: false }, 95n),
    one(2, { sender: 'bob', token: 'usdc', amount: 0n, revocable: true }, 5n),
    one(2, { sender: 'carol', token: 'wrapped', amount: 10n ** 16n, revocable: false }, 1n),
    one(ESCROW_TIP_KEYS[0], { sender: 'alice', token: 'usdc', amount: 1_000_000n, revocable: true }, 10n),
    one(ESCROW_TIP_KEYS[1], { sender: 'bob', token: 'wrapped', amount: 10n ** 15n, revocable: true }, 40n),
  ];
}

function escrowTerms(stage: Stage, { sender, token, handle, ...rest }: rules.ModelEscrow): EscrowTerms {
  return { ...rest, sender: stage.at(sender), token: stage.at(token), handleKey: handleKey(handle) };
}

const escrow = fc.nat({ max: 7 });
/** Mostly one that is open, where there is one. */
const someEscrow = fc.record({ at: escrow, open: mostly(true, false) });
function pickEscrow(stage: Stage, { at, open }: { at: number; open: boolean }): number {
  const all = escrows(stage.start).map((one, index) => ({
    index,
    kept: stage.m.escrow.escrows.get(rules.escrowName(one)),
  }));
  const opened = all.filter(({ kept }) => open && kept?.status === 'open');
  return opened.length > 0 ? (opened[at % opened.length]?.index ?? at) : at;
}
const modelEscrow = (stage: Stage, at: number) => escrows(stage.start)[at] as rules.ModelEscrow;
const verifierOf = ({ local, at }: Stage) => ({ chainId: local.chain.facts.chainId, contract: at('router:escrow') });
const idOf = ({ local, at }: Stage, one: rules.ModelEscrow) =>
  escrowOnChainId(local.chain, at(one.sender), one.senderNonce);

async function meansOf(
  stage: Stage,
  one: rules.ModelEscrow,
  way: rules.EscrowWay,
  signer: Party,
): Promise<EscrowPaymentMethod> {
  const { m, local, at } = stage;
  const { chainId, usdcDomain } = local.chain.facts;
  const domain = usdcDomain ?? { name: '', version: '' };
  const terms = escrowTerms(stage, one);
  const [spender, owner] = [at('router:escrow'), at(one.sender)];
  switch (way) {
    case 'direct':
      return { way };
    case 'eip2612': {
      const permit = { value: one.amount, deadline: FAR };
      const use = { chainId, token: at('usdc'), tokenDomain: domain, owner, spender, value: one.amount };
      const data = permitData({ ...use, nonce: nonceOf(m, 'usdc', one.sender), deadline: Number(FAR) });
      return { way, permit: permitOf(permit, await signAs(signer, data)) };
    }
    case 'eip3009': {
      const window = { validAfter: 0n, validBefore: FAR };
      const use = { ...window, from: owner, to: spender, value: one.amount, nonce: escrowHash(terms) };
      const data = authorizationData({ chainId, contract: terms.token }, domain, use);
      return { way, authorization: { ...window, signature: await signAs(signer, data) } };
    }
    case 'permit2': {
      const permit = { nonce: BigInt(stage.count++), deadline: FAR };
      const use = { ...permit, token: terms.token, amount: one.amount, spender };
      const data = permit2WitnessData({ chainId, contract: at('permit2') }, use, escrowStruct(terms));
      return { way, permit: { ...permit, signature: await signAs(signer, data) } };
    }
  }
}

const opens = fc
  .record({
    escrow,
    way: fc.constantFrom('direct' as const, 'eip2612' as const, 'eip3009' as const, 'permit2' as const),
    signer: rarely(who),
  })
  .map((p) => {
    const label = `open.${p.way} tab ${p.escrow} signed by ${p.signer ?? 'its sender'}`;
    return {
      label,
      run: async (stage: Stage) => {
        const one = modelEscrow(stage, p.escrow);
        const signer = p.signer ?? one.sender;
        const data = encodeOpen(escrowTerms(stage, one), await meansOf(stage, one, p.way, signer));
        const from = p.way === 'direct' || p.way === 'eip2612' ? one.sender : 'executor';
        const receipt = await perform(stage, label, { from, to: 'router:escrow', data }, (m) =>
          rules.open(m, one, p.way, signer),
        );
        const events = escrowEvents(stage.local.chain, receipt.logs).map(({ eventName, args }) =>
          eventName === 'TabOpened' ? [args.tabId, args.handleKey, args.senderNonce, args.deadline] : [eventName],
        );
        const opened = [idOf(stage, one), handleKey(one.handle), one.senderNonce, one.deadline];
        expect(events).toEqual(receipt.status === 'success' ? [opened] : []);
      },
    };
  });

const claims = fc
  .record({
    escrow: someEscrow,
    recipient: fc.constantFrom(...PEOPLE, REFUSER),
    caller: mostly('executor', 'alice', 'authority'),
    signer: mostly('authority', 'authority2', 'alice'),
    notAfter: mostly(600n, -1n, 0n, 601n),
  })
  .map((p) => {
    const label = `claim for ${p.recipient} by ${p.caller} attested by ${p.signer} until ${p.notAfter}`;
    return {
      label,
      run: async (stage: Stage) => {
        const at = pickEscrow(stage, p.escrow);
        const one = modelEscrow(stage, at);
        const terms = escrowTerms(stage, one);
        const attested = { recipient: stage.at(p.recipient), notAfter: stage.m.now + p.notAfter };
        const claim = { ...attested, tabId: idOf(stage, one), handleKey: terms.handleKey };
        const data = encodeClaim(terms, attested, await signAs(p.signer, claimData(verifierOf(stage), claim)));
        await perform(stage, `${label}, tab ${at}`, { from: p.caller, to: 'router:escrow', data }, (m) =>
          rules.claim(m, one, { ...p, notAfter: attested.notAfter }),
        );
      },
    };
  });

const refunds = fc
  .record({ escrow: someEscrow, caller: rarely(who), signed: fc.boolean(), deadline: mostly(60n, -1n, 0n) })
  .map((p) => {
    const label = `refundEscrow${p.signed ? 'BySig' : ''} by ${p.caller ?? 'its sender'}`;
    return {
      label,
      run: async (stage: Stage) => {
        const at = pickEscrow(stage, p.escrow);
        const one = modelEscrow(stage, at);
        const terms = escrowTerms(stage, one);
        const by = p.caller ?? one.sender;
        if (!p.signed) {
          const call = { from: by, to: 'router:escrow', data: encodeEscrowRefund(terms) };
          await perform(stage, `${label}, tab ${at}`, call, (m) => rules.refundEscrow(m, one, by));
          return;
        }
        const deadline = stage.m.now + p.deadline;
        const signature = await signAs(by, escrowRefundData(verifierOf(stage), { tabId: idOf(stage, one), deadline }));
        const call = {
          from: 'executor',
          to: 'router:escrow',
          data: encodeEscrowRefundBySig(terms, deadline, signature),
        };
        await perform(stage, `${label}, tab ${at}`, call, (m) => rules.refundEscrowBySig(m, one, by, deadline));
      },
    };
  });

const roles = fc.oneof(
  fc
    .record({ next: fc.constantFrom('authority2', 'authority', null), caller: mostly('owner', 'guardian') })
    .map(({ next, caller }) => {
      const label = `announceAuthority ${next} by ${caller}`;
      return {
        label,
        run: async (stage: Stage) => {
          const args = [next === null ? zeroAddress : stage.at(next)] as const;
          const data = encodeFunctionData({ abi, functionName: 'announceAuthority', args });
          await perform(stage, label, { from: caller, to: 'router:escrow', data }, (m) =>
            rules.announceAuthority(m, next, caller),
          );
        },
      };
    }),
  fc.constant('applyAuthority').map((label) => ({
    label,
    run: async (stage: Stage) => {
      const data = encodeFunctionData({ abi, functionName: 'applyAuthority' });
      await perform(stage, label, { from: 'dave', to: 'router:escrow', data }, rules.applyAuthority);
    },
  })),
  fc
    .record({ hours: fc.constantFrom(0n, 1n, 24n, 72n, 73n), caller: mostly('guardian', 'owner') })
    .map(({ hours, caller }) => {
      const label = `pauseClaims for ${hours} h by ${caller}`;
      return {
        label,
        run: async (stage: Stage) => {
          const data = encodeFunctionData({ abi, functionName: 'pauseClaims', args: [hours * 3_600n] });
          await perform(stage, label, { from: caller, to: 'router:escrow', data }, (m) =>
            rules.pauseClaims(m, hours * 3_600n, caller),
          );
        },
      };
    }),
  mostly('owner', 'guardian').map((caller) => {
    const label = `unpauseClaims by ${caller}`;
    return {
      label,
      run: async (stage: Stage) => {
        const data = encodeFunctionData({ abi, functionName: 'unpauseClaims' });
        await perform(stage, label, { from: caller, to: 'router:escrow', data }, (m) => rules.unpauseClaims(m, caller));
      },
    };
  }),
);

export const escrowPlays: fc.Arbitrary<Omit<Play, 'wait'>> = fc.oneof(
  { weight: 5, arbitrary: opens },
  { weight: 4, arbitrary: claims },
  { weight: 4, arbitrary: refunds },
  { weight: 1, arbitrary: roles },
);

/** Statuses, and that the open tabs are what the router says and covered by what it holds. */
export async function checkEscrow(stage: Stage): Promise<void> {
  const { local, m } = stage;
  const all = escrows(stage.start);
  const statuses = await Promise.all(all.map((one) => readChainStatus(local.chain, idOf(stage, one))));
  for (const [index, one] of all.entries()) {
    const expected = m.escrow.escrows.get(rules.escrowName(one))?.status ?? 'unknown';
    if (statuses[index] !== expected) throw new Error(`tab ${index} is ${statuses[index]}, not ${expected}`);
  }
  for (const token of ['usdc', 'wrapped'] as const) {
    const [total, expected] = [await openTotal(local.chain, stage.at(token)), rules.openTotalOf(m, token)];
    if (total !== expected) throw new Error(`the open tabs are ${total} ${token}, not ${expected}`);
    if ((m.balances.get(`${token} router:escrow`) ?? 0n) < total)
      throw new Error(`the open tabs in ${token} are not covered`);
  }
}
