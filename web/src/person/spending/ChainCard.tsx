// One chain: what is there, what the contract may take of it, and what it has taken; with ways to change both.

import { useState } from 'react';
import type { ChainSpending, SilentChain, TokenSpending } from '../../../../src/http/api/spendingAnswers.ts';
import { capitalised, compareAmounts, isAmount, padAmount, shareOf, typedAmount } from '../../app/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field } from '../../ui/Field.tsx';
import { Hex } from '../../ui/Hex.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { isAllowed, isChainReady } from './allowed.ts';
import { allowanceWords, limitsWords, revokeWords, spenderWord } from './allowWords.ts';
import { SignStep } from './SignStep.tsx';
import { isEvm, signerOn, usdcOf } from './spendingApi.ts';

export function ChainCard({ chain }: { chain: ChainSpending | SilentChain }) {
  const [changing, setChanging] = useState<'allowance' | 'limits' | null>(null);
  if (chain.unreachable)
    return (
      <Card title={chain.label} aside={<Pill tone="busy">Unreachable</Pill>}>
        <p className="text-sm text-muted">
          This network isn’t responding. Your allowance and limits there are unchanged.
        </p>
      </Card>
    );
  const token = usdcOf(chain);
  if (!token) return null;
  const close = () => setChanging(null);
  return (
    <Card title={chain.label} aside={<Status chain={chain} />}>
      <Meter
        label="Spent in 24 hours"
        used={padAmount(token.spent_24h)}
        of={`${padAmount(token.per_day)} ${token.asset}`}
        share={shareOf(token.spent_24h, token.per_day)}
      />
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-2 text-sm sm:grid-cols-[1fr_auto_1fr_auto] sm:gap-x-8">
        <Fact name="Balance" amount={token.balance} asset={token.asset} />
        <Fact name="Limit per tip" amount={token.per_tip} asset={token.asset} />
        <Fact name="Allowance left" amount={token.allowance} asset={token.asset} />
        <Fact name="Left in 24 hours" amount={token.left_24h} asset={token.asset} />
      </dl>
      {changing === null && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button onClick={() => setChanging('allowance')}>Change allowance</Button>
          <Button onClick={() => setChanging('limits')}>Change limits</Button>
          <span className="ml-auto flex items-center gap-1 text-sm text-muted">
            {capitalised(spenderWord(chain))}{' '}
            <Hex value={chain.router} what={`the ${spenderWord(chain)}’s address`} href={addressUrl(chain)} />
          </span>
        </div>
      )}
      {changing === 'allowance' && <ChangeAllowance chain={chain} token={token} onClose={close} />}
      {changing === 'limits' && <ChangeLimits chain={chain} token={token} onClose={close} />}
    </Card>
  );
}

function addressUrl(chain: ChainSpending): string {
  return `${chain.explorer_url}/${chain.family === 'solana' ? 'account' : 'address'}/${chain.router}`;
}

function Status({ chain }: { chain: ChainSpending }) {
  if (chain.paused) return <Pill tone="busy">Paused</Pill>;
  return isChainReady(chain) ? <Pill tone="good">Allowed</Pill> : <Pill tone="quiet">Not allowed</Pill>;
}

/** @param amount null for one without end */
function Fact({ name, amount, asset }: { name: string; amount: string | null; asset: string }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="text-right font-medium amount">
        {amount === null ? 'unlimited' : `${padAmount(amount)} ${asset}`}
      </dd>
    </>
  );
}

type ChangeProps = { chain: ChainSpending; token: TokenSpending; onClose: () => void };

function ChangeAllowance({ chain, token, onClose }: ChangeProps) {
  const [amount, setAmount] = useState(token.allowance !== null && isAllowed(token) ? token.allowance : '500');
  const isNothing = /^0+(\.0+)?$/.test(amount);
  const isGood = isAmount(amount) || isNothing;
  const approve = { kind: 'approve', chain: chain.chain, amount } as const;
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <Field
        label="Total allowance"
        name="allowance"
        after={token.asset}
        inputMode="decimal"
        maxLength={16}
        className="max-w-80"
        value={amount}
        error={isGood ? null : 'Enter a number, such as 500 or 2.50.'}
        hint="Replaces the current allowance. Enter 0 to revoke it."
        onChange={(event) => setAmount(typedAmount(event.target.value))}
      />
      <SignStep
        signer={signerOn(chain)}
        chainLabel={chain.label}
        job={chain.permit ? { kind: 'permit', chain: chain.chain, amount } : approve}
        other={chain.permit && isEvm(chain) ? { job: approve, button: 'Approve in your wallet instead' } : undefined}
        allows={isNothing ? revokeWords(chain) : allowanceWords(amount, token.asset, chain)}
        button={chain.permit ? 'Sign the allowance' : 'Approve'}
        disabled={!isGood}
        onDone={onClose}
        onCancel={onClose}
      />
    </div>
  );
}

function ChangeLimits({ chain, token, onClose }: ChangeProps) {
  const [perTip, setPerTip] = useState(isAmount(token.per_tip) ? token.per_tip : '100');
  const [perDay, setPerDay] = useState(isAmount(token.per_day) ? token.per_day : '500');
  const isInOrder = compareAmounts(perDay, perTip) >= 0;
  const isGood = isAmount(perTip) && isAmount(perDay) && isInOrder;
  const read = (set: (text: string) => void) => (event: { target: { value: string } }) =>
    set(typedAmount(event.target.value));
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Limit per tip"
          name="per_tip"
          after={token.asset}
          inputMode="decimal"
          maxLength={16}
          value={perTip}
          error={isAmount(perTip) ? null : 'Enter a number, such as 100 or 2.50.'}
          onChange={read(setPerTip)}
        />
        <Field
          label="Limit in 24 hours"
          name="per_day"
          after={token.asset}
          inputMode="decimal"
          maxLength={16}
          value={perDay}
          error={
            !isAmount(perDay)
              ? 'Enter a number, such as 500 or 2.50.'
              : isInOrder
                ? null
                : 'Must be at least the limit per tip.'
          }
          onChange={read(setPerDay)}
        />
      </div>
      <SignStep
        signer={signerOn(chain)}
        chainLabel={chain.label}
        job={{ kind: 'limits', chain: chain.chain, per_tip: perTip, per_day: perDay }}
        allows={limitsWords(perTip, perDay, token.asset, chain.label)}
        button="Sign the limits"
        disabled={!isGood}
        onDone={onClose}
        onCancel={onClose}
      />
    </div>
  );
}
