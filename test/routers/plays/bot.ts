// Tips, limits and campaigns.
import fc from 'fast-check';
import { encodeFunctionData, type Hex, numberToHex } from 'viem';
import { ownEvents } from '../../../src/chain/logs/routerEvents.ts';
import { botRouterAbi as abi } from '../../../src/chain/routers/abis/BotRouter.ts';
import { encodePauseSender, encodeTips, isProcessed, senderStates } from '../../../src/chain/routers/bot.ts';
import { handleKey } from '../../../src/chain/routers/escrow.ts';
import { decodeRevert } from '../../../src/chain/routers/reverts.ts';
import { encodeSetLimits, encodeUnpause } from '../../../src/chain/signing/permits.ts';
import { setLimitsData, unpauseData } from '../../../src/domain/typedData.ts';
import * as rules from '../model/bot.ts';
import { agrees, allowanceOf, attempt, balanceOf, EXECUTOR, nonceOf, type Party, REFUSER } from '../model/ledger.ts';
import { ESCROW_TIP_KEYS, escrows } from './escrow.ts';
import { mostly, PEOPLE, type Play, perform, rarely, type Stage, signAs, who } from './stage.ts';

const TO = 'router:bot';
const FAR = 2n ** 40n;
const SENDERS = ['alice', 'bob'] as const;
const sender = fc.constantFrom(...SENDERS);
const token = fc.constantFrom('usdc' as const, 'usdc' as const, 'wrapped' as const);
/** A thousandth of what a limit is usually about, per token: amounts are so round that nothing is ever rounded. */
const UNIT = { usdc: 10_000n, wrapped: 10n ** 14n };
const keyHex = (key: number) => numberToHex(key, { size: 32 });

const limits = fc.constantFrom(
  { perTip: 1_000n, perDay: 2_000n, maxFee: 100n },
  { perTip: 500n, perDay: 700n, maxFee: 100n },
  { perTip: 100n, perDay: 2_000n, maxFee: 0n },
  { perTip: 900n, perDay: 800n, maxFee: 10n },
  { perTip: 0n, perDay: 0n, maxFee: 0n },
);
const scaled = (of: { perTip: bigint; perDay: bigint; maxFee: bigint }, unit: bigint) => ({
  perTip: of.perTip * unit,
  perDay: of.perDay * unit,
  maxFee: of.maxFee * unit,
});

type Setting = {
  sender: Party;
  token: rules.BotToken;
  limits: { perTip: bigint; perDay: bigint; maxFee: bigint };
  way: 'call' | 'signature';
  other: Party | null;
  nonce: bigint;
};
export function limitsPlay(p: Setting): Omit<Play, 'wait'> {
  const label = `setLimits.${p.way} ${p.sender} ${p.token} ${p.limits.perTip}/${p.limits.perDay}`;
  return {
    label,
    run: async (stage: Stage) => {
      const { m, at, local } = stage;
      const set = scaled(p.limits, UNIT[p.token]);
      if (p.way === 'call') {
        const args = [at(p.token), set.perTip, set.perDay, set.maxFee] as const;
        const data = encodeFunctionData({ abi, functionName: 'setLimits', args });
        await perform(stage, label, { from: p.sender, to: TO, data }, (draft) =>
          rules.setLimits(draft, p.sender, p.token, set, { way: 'call', caller: p.sender }),
        );
        return;
      }
      const signer = p.other ?? p.sender;
      const nonce = nonceOf(m, 'bot', p.sender) + p.nonce;
      const place = { chainId: local.chain.facts.chainId, router: at(TO), deadline: Number(FAR), nonce };
      const terms = { ...place, ...set, sender: at(p.sender), token: at(p.token) };
      const data = encodeSetLimits(terms, await signAs(signer, setLimitsData(terms)));
      await perform(stage, label, { from: 'dave', to: TO, data }, (draft) =>
        rules.setLimits(draft, p.sender, p.token, set, { way: 'signature', signer, nonce, deadline: FAR }),
      );
    },
  };
}

const settings = fc
  .record({
    sender,
    token,
    limits,
    way: fc.constantFrom('call' as const, 'signature' as const),
    other: rarely(who),
    nonce: mostly(0n, 1n),
  })
  .map(limitsPlay);

const lowerings = fc.record({ sender, token, limits, caller: mostly(EXECUTOR, 'alice', 'owner') }).map((p) => {
  const label = `lowerLimits ${p.sender} ${p.token} by ${p.caller}`;
  return {
    label,
    run: async (stage: Stage) => {
      const set = scaled(p.limits, UNIT[p.token]);
      const args = [stage.at(p.sender), stage.at(p.token), set.perTip, set.perDay, set.maxFee] as const;
      const data = encodeFunctionData({ abi, functionName: 'lowerLimits', args });
      await perform(stage, label, { from: p.caller, to: TO, data }, (m) =>
        rules.lowerLimits(m, p.sender, p.token, set, p.caller),
      );
    },
  };
});

const pauses = fc
  .record({
    sender,
    on: fc.boolean(),
    caller: fc.option(fc.constantFrom<Party>(EXECUTOR, 'alice', 'bob')),
    signed: fc.boolean(),
  })
  .map((p) => {
    const label = `${p.on ? 'pauseSender' : 'unpauseSender'} ${p.sender} by ${p.caller ?? 'itself'}`;
    return {
      label,
      run: async (stage: Stage) => {
        const { m, at, local } = stage;
        const caller = p.caller ?? p.sender;
        if (p.on) {
          const call = { from: caller, to: TO, data: encodePauseSender(at(p.sender)) };
          await perform(stage, label, call, (draft) => rules.pauseSender(draft, p.sender, caller));
          return;
        }
        if (!p.signed) {
          const call = { from: p.sender, to: TO, data: encodeFunctionData({ abi, functionName: 'unpauseSender' }) };
          const by = { way: 'call', caller: p.sender } as const;
          await perform(stage, label, call, (draft) => rules.unpauseSender(draft, p.sender, by));
          return;
        }
        const signer = caller === EXECUTOR ? p.sender : caller;
        const nonce = nonceOf(m, 'bot', p.sender);
        const use = { chainId: local.chain.facts.chainId, router: at(TO), deadline: Number(FAR), nonce };
        const terms = { ...use, sender: at(p.sender) };
        const data = encodeUnpause(terms, await signAs(signer, unpauseData(terms)));
        const by = { way: 'signature', signer, nonce, deadline: FAR } as const;
        await perform(stage, label, { from: 'dave', to: TO, data }, (draft) =>
          rules.unpauseSender(draft, p.sender, by),
        );
      },
    };
  });

const item = fc.record({
  key: fc.nat({ max: 40 }),
  sender,
  recipient: fc.constantFrom<Party>(...PEOPLE, REFUSER),
  token,
  amount: fc.constantFrom(100n, 300n, 300n, 500n, 900n, 0n),
  fee: fc.constantFrom(0n, 10n, 50n, 200n),
  valid: mostly(60n, 0n, -1n),
});

const tips = fc
  .record({ items: fc.array(item, { minLength: 1, maxLength: 4 }), caller: mostly<Party>(EXECUTOR, 'alice', 'owner') })
  .map(({ items, caller }) => {
    const label = `tip.${items.length > 1 ? 'batch' : 'one'} by ${caller}: ${items.map((one) => `${one.key} ${one.sender}>${one.recipient} ${one.amount}+${one.fee} ${one.token}`).join(', ')}`;
    return {
      label,
      run: async (stage: Stage) => {
        const model = items.map(({ valid, ...one }): rules.Tip => {
          const unit = UNIT[one.token];
          return { ...one, amount: one.amount * unit, fee: one.fee * unit, validUntil: stage.m.now + valid };
        });
        const data = encodeTips(
          model.map(({ key, ...one }) => ({
            ...one,
            messageKey: keyHex(key),
            sender: stage.at(one.sender),
            recipient: stage.at(one.recipient),
            token: stage.at(one.token),
          })),
        );
        await perform(stage, label, { from: caller, to: TO, data }, (m, receipt) => {
          const work = rules.workReasons(m, caller);
          const [first] = model;
          if (model.length === 1 && first) return [...work, ...rules.tip(m, first)];
          if (work.length > 0) return work;
          const events = ownEvents(abi, stage.at(TO), receipt.logs).filter(({ eventName }) =>
            eventName.startsWith('Tip'),
          );
          return model.flatMap((one, index) => {
            const event = events[index];
            const actual = event?.eventName === 'TipFailed' ? decodeRevert(event.args.reason).name : null;
            const said = attempt(m, actual, (draft) => rules.tip(draft, one));
            return event && agrees(said, actual) ? [] : [`item ${index}: ${actual} and not ${said}`];
          });
        });
      },
    };
  });

const escrowTips = fc
  .record({ at: fc.nat({ max: 1 }), caller: mostly<Party>(EXECUTOR, 'alice'), valid: mostly(60n, -1n) })
  .map((p) => {
    const label = `tipToTab ${p.at} by ${p.caller}`;
    return {
      label,
      run: async (stage: Stage) => {
        const key = ESCROW_TIP_KEYS[p.at] as number;
        const escrow = escrows(stage.start).find(({ senderNonce }) => senderNonce === BigInt(key));
        if (!escrow) throw new Error('the key has a tab');
        const validUntil = stage.m.now + p.valid;
        const tip = {
          messageKey: keyHex(key),
          sender: stage.at(escrow.sender),
          handleKey: handleKey(escrow.handle),
          token: stage.at(escrow.token),
          amount: escrow.amount,
          deadline: escrow.deadline,
          validUntil,
        };
        const data = encodeFunctionData({ abi, functionName: 'tipToTab', args: [tip] });
        await perform(stage, label, { from: p.caller, to: TO, data }, (m) => [
          ...rules.workReasons(m, p.caller),
          ...rules.tipToTab(m, key, escrow, validUntil),
        ]);
      },
    };
  });

const salt = fc.nat({ max: 1 });
const idOf = (name: Party, at: number) => `${name} ${at}`;

type Opening = {
  sponsor: Party;
  salt: number;
  token: rules.BotToken;
  total: bigint;
  mostPerGrant: bigint;
  days: bigint;
};
export function campaignPlay(p: Opening): Omit<Play, 'wait'> {
  const label = `openCampaign ${p.sponsor} ${p.salt} ${p.token} ${p.total}`;
  return {
    label,
    run: async (stage: Stage) => {
      const unit = UNIT[p.token];
      const terms = { total: p.total * unit, mostPerGrant: p.mostPerGrant * unit, maxFee: 10n * unit };
      const expiry = stage.m.now + p.days * 86_400n;
      const args = [keyHex(p.salt), stage.at(p.token), terms.total, terms.mostPerGrant, terms.maxFee, expiry] as const;
      const data = encodeFunctionData({ abi, functionName: 'openCampaign', args });
      await perform(stage, label, { from: p.sponsor, to: TO, data }, (m) =>
        rules.openCampaign(m, idOf(p.sponsor, p.salt), { ...terms, expiry, sponsor: p.sponsor, token: p.token }),
      );
    },
  };
}

const campaigns = fc
  .record({
    sponsor: sender,
    salt,
    token,
    total: fc.constantFrom(0n, 500n, 3_000n),
    mostPerGrant: fc.constantFrom(100n, 400n),
    days: mostly(20n, 0n, 1n),
  })
  .map(campaignPlay);

const campaignId = async ({ local, at }: Stage, sponsor: Party, number: number): Promise<Hex> =>
  local.chain.client.readContract({
    address: at(TO),
    abi,
    functionName: 'campaignIdOf',
    args: [at(sponsor), keyHex(number)],
  });

const closings = fc
  .record({ sponsor: sender, salt, caller: rarely(fc.constantFrom<Party>(EXECUTOR, 'carol')) })
  .map((p) => {
    const label = `closeCampaign ${p.sponsor} ${p.salt} by ${p.caller ?? 'its sponsor'}`;
    return {
      label,
      run: async (stage: Stage) => {
        const caller = p.caller ?? p.sponsor;
        const data = encodeFunctionData({
          abi,
          functionName: 'closeCampaign',
          args: [await campaignId(stage, p.sponsor, p.salt)],
        });
        await perform(stage, label, { from: caller, to: TO, data }, (m) =>
          rules.closeCampaign(m, idOf(p.sponsor, p.salt), caller),
        );
      },
    };
  });

const grants = fc
  .record({
    campaign: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom({ sponsor: 'alice', salt: 0 }, { sponsor: 'bob', salt: 1 }) },
      { weight: 1, arbitrary: fc.record({ sponsor: sender, salt }) },
    ),
    items: fc.array(
      fc.record({
        recipientKey: fc.constantFrom(1, 2, 3, 4, 255, 256, 257, 10 ** 9),
        recipient: fc.constantFrom<Party>(...PEOPLE, REFUSER),
        amount: fc.constantFrom(0n, 50n, 50n, 100n, 100n, 300n, 500n),
        fee: fc.constantFrom(0n, 0n, 10n, 10n, 11n),
        valid: mostly(60n, -1n),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    caller: mostly<Party>(EXECUTOR, 'alice'),
  })
  .map(({ campaign, ...rest }) => {
    const p = { ...campaign, ...rest };
    const label = `grant.${p.items.length > 1 ? 'batch' : 'one'} ${p.sponsor} ${p.salt}: ${p.items.map((one) => `${one.recipientKey}>${one.recipient} ${one.amount}+${one.fee}`).join(', ')}`;
    return {
      label,
      run: async (stage: Stage) => {
        const id = idOf(p.sponsor, p.salt);
        const unit = UNIT[stage.m.bot.campaigns.get(id)?.token ?? 'usdc'];
        const model = p.items.map(({ valid, ...one }): rules.Grant => {
          return { ...one, amount: one.amount * unit, fee: one.fee * unit, validUntil: stage.m.now + valid };
        });
        const wire = model.map((one) => ({
          ...one,
          recipientKey: BigInt(one.recipientKey),
          recipient: stage.at(one.recipient),
        }));
        const [key, [first]] = [await campaignId(stage, p.sponsor, p.salt), wire];
        const data =
          wire.length === 1 && first
            ? encodeFunctionData({ abi, functionName: 'grant', args: [key, first] })
            : encodeFunctionData({ abi, functionName: 'grantBatch', args: [key, wire] });
        await perform(stage, label, { from: p.caller, to: TO, data }, (m, receipt) => {
          const work = rules.workReasons(m, p.caller);
          const [one] = model;
          if (model.length === 1 && one)
            return [...work, ...rules.grant(m, id, one), ...rules.grantFees(m, id, one.fee)];
          if (work.length > 0) return work;
          if (receipt.status === 'reverted') return failedBatch(m, id, model);
          const events = ownEvents(abi, stage.at(TO), receipt.logs).filter(({ eventName }) =>
            eventName.startsWith('Grant'),
          );
          let fees = 0n;
          const wrong = model.flatMap((grant, index) => {
            const event = events[index];
            const actual = event?.eventName === 'GrantFailed' ? decodeRevert(event.args.reason).name : null;
            const said = attempt(m, actual, (draft) => rules.grant(draft, id, grant));
            if (actual === null) fees += grant.fee;
            return event && agrees(said, actual) ? [] : [`item ${index}: ${actual} and not ${said}`];
          });
          return [...wrong, ...rules.grantFees(m, id, fees)];
        });
      },
    };
  });

/** A batch reverts as a whole when the fees of those that would be paid cannot be taken. */
function failedBatch(m: Parameters<typeof rules.grant>[0], id: string, model: rules.Grant[]): string[] {
  let fees = 0n;
  for (const grant of model) {
    const reasons = attempt(m, null, (draft) => rules.grant(draft, id, grant));
    if (reasons.length === 0) fees += grant.fee;
  }
  return rules.grantFees(m, id, fees);
}

export const botPlays: fc.Arbitrary<Omit<Play, 'wait'>> = fc.oneof(
  { weight: 4, arbitrary: settings },
  { weight: 1, arbitrary: lowerings },
  { weight: 1, arbitrary: pauses },
  { weight: 8, arbitrary: tips },
  { weight: 2, arbitrary: escrowTips },
  { weight: 2, arbitrary: campaigns },
  { weight: 1, arbitrary: closings },
  { weight: 5, arbitrary: grants },
);

/** Limits, what counts against them, pauses, allowances and used keys; `all` also the keys that are not. */
export async function checkBot(stage: Stage, all: boolean): Promise<void> {
  const { local, m, at } = stage;
  const purses = SENDERS.flatMap((name) => (['usdc', 'wrapped'] as const).map((kind) => ({ name, kind })));
  const states = await senderStates(
    local.chain,
    purses.map(({ name, kind }) => ({ sender: at(name), token: at(kind) })),
  );
  for (const [index, { name, kind }] of purses.entries()) {
    const { spent24h, ...found } = states[index] as (typeof states)[number];
    const expected = {
      ...rules.limitsOf(m, name, kind),
      balance: balanceOf(m, kind, name),
      allowance: allowanceOf(m, kind, name, TO),
      paused: m.bot.pausedSenders.has(name),
      routerPaused: m.paused.has('bot'),
    };
    for (const [what, value] of Object.entries(expected)) {
      if (found[what as keyof typeof found] !== value)
        throw new Error(`${name}'s ${what} in ${kind} is ${found[what as keyof typeof found]}, not ${value}`);
    }
    const [least, most] = [rules.spent(m, name, kind, 24n), rules.spent(m, name, kind, 30n)];
    if (spent24h < least || spent24h > most)
      throw new Error(`${name} spent ${spent24h} ${kind}, which is not between ${least} and ${most}`);
  }
  const keys = [...Array(41).keys(), ...ESCROW_TIP_KEYS].filter((key) => all || m.bot.processed.has(key));
  const used = await Promise.all(keys.map((key) => isProcessed(local.chain, keyHex(key))));
  const wrong = keys.find((key, index) => used[index] !== m.bot.processed.has(key));
  if (wrong !== undefined) throw new Error(`message key ${wrong} is used in one and not in the other`);
}
