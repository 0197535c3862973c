// The way to the first tip: a few figures, then one signature after the other, each with what it allows. Done parts stay done.

import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ChainSpending, SpendingOverview } from '../../../../src/http/api/spendingAnswers.ts';
import { compareAmounts, isAmount, padAmount, typedAmount } from '../../app/format.ts';
import { Link } from '../../app/router.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import { KeptTipHint } from '../waiting/KeptTipHint.tsx';
import { allowanceWords, limitsWords, nameOf, rightWords } from './allowWords.ts';
import { OnePress } from './OnePress.tsx';
import { PartMark } from './PartMark.tsx';
import type { Job } from './runCall.ts';
import { SignStep } from './SignStep.tsx';
import { isEvm, isReachable, type SpendingCall, signerOn, usdcOf } from './spendingApi.ts';
import { useIsPasskey } from './walletChoice.tsx';

/** In whole USDC, as the form begins. */
export const DEFAULTS = { total: '500', perTip: '100', perDay: '500' };

export function AllowFlow({
  preferredChain,
  spending,
  onStart,
}: {
  preferredChain: string | null;
  spending: SpendingOverview;
  onStart: () => void;
}) {
  const chains = spending.chains.filter(isReachable);
  const [chainName, setChainName] = useState(preferredChain);
  const [connectionId, setConnectionId] = useState<string | null>(null);
  const [figures, setFigures] = useState(DEFAULTS);
  const chain = chains.find((one) => one.chain === chainName) ?? chains[0];
  const connection =
    spending.connections.find(({ id }) => id === connectionId) ??
    spending.connections.find(({ can_spend }) => !can_spend) ??
    spending.connections[0];
  const isPasskey = useIsPasskey(chain?.wallet);
  if (!chain) return null;

  const error = problemOf(figures, spending);
  const parts = partsOf({ spending, chain, connection, figures, isPasskey });
  const atOnce = isPasskey && chain.permit ? callsOf(parts) : [];
  const current = parts.findIndex((part) => !part.done);
  const field = (name: keyof typeof DEFAULTS) => ({
    name,
    value: figures[name],
    inputMode: 'decimal' as const,
    maxLength: 12,
    error: error?.field === name ? error.text : null,
    onChange: (event: { target: { value: string } }) =>
      setFigures({ ...figures, [name]: typedAmount(event.target.value) }),
  });

  if (current === -1)
    return (
      <Card title="Ready to tip">
        <AllSet />
        <KeptTipHint />
      </Card>
    );
  return (
    <Card
      title="Allow spending"
      aside={
        <span className="text-sm text-muted">{`${parts.filter((part) => part.done).length} of ${parts.length} signed`}</span>
      }
    >
      <div className="grid gap-4 sm:grid-cols-3">
        {chains.length > 1 && (
          <SelectField
            label="Network"
            className="sm:col-span-3"
            value={chain.chain}
            onChange={(event) => setChainName(event.target.value)}
          >
            {chains.map((one) => (
              <option key={one.chain} value={one.chain}>
                {one.label}, {padAmount(usdcOf(one)?.balance ?? '0')} USDC
              </option>
            ))}
          </SelectField>
        )}
        <Field label="Limit per tip" after="USDC" {...field('perTip')} />
        <Field label="Limit in 24 hours" after="USDC" {...field('perDay')} />
        <Field label="Total allowance" after="USDC" {...field('total')} />
        {spending.connections.length > 1 && (
          <SelectField
            label="Chat"
            className="sm:col-span-3"
            value={connection?.id}
            onChange={(event) => setConnectionId(event.target.value)}
          >
            {spending.connections.map((one) => (
              <option key={one.id} value={one.id}>
                {nameOf(one)}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      <p className="text-sm text-muted">
        In your wallet on {chain.label}:{' '}
        <b className="font-medium text-ink amount">{padAmount(usdcOf(chain)?.balance ?? '0')} USDC</b>. You aren’t
        charged now. Each tip costs its amount plus a fee: $0.05 under $5, $0.10 from $5, or $0.30 and the bridge’s cost
        to another network.
      </p>
      {spending.connections.length === 0 && current < parts.length - 1 && (
        <p className="text-sm">
          No chat is connected yet.{' '}
          <Link href="/connections" className="text-accent underline-offset-4 hover:underline">
            Connect one first
          </Link>{' '}
          to finish all steps in one go.
        </p>
      )}
      <ol className="flex flex-col">
        {parts.map((part, index) => (
          <li key={part.title} className="flex gap-3 border-t border-line py-4 last:pb-0">
            <PartMark state={part.done ? 'done' : index === current ? 'current' : 'later'} />
            <div className="flex min-w-0 grow flex-col gap-2">
              <h3 className={index === current ? 'font-semibold' : part.done ? 'text-muted' : ''}>{part.title}</h3>
              {index === current && part.job && atOnce.length > 1 && <p className="text-sm">{part.allows}</p>}
              {index === current && part.job && atOnce.length <= 1 && (
                <SignStep
                  key={`${part.job.kind}:${chain.chain}`}
                  signer={signerOn(chain)}
                  job={part.job}
                  other={part.other}
                  chainLabel={chain.label}
                  allows={part.allows}
                  button={`${part.verb} ${index + 1} of ${parts.length}`}
                  disabled={error !== null}
                  onStart={onStart}
                />
              )}
              {index === current && !part.job && part.instead}
              {index > current && !part.done && <p className="text-sm text-muted">{part.allows}</p>}
            </div>
          </li>
        ))}
      </ol>
      {atOnce.length > 1 && (
        <OnePress
          calls={atOnce}
          address={chain.wallet}
          chainLabel={chain.label}
          disabled={error !== null}
          onStart={onStart}
        />
      )}
      {!isPasskey && parts.length > 2 && (
        <p className="text-sm text-muted">
          Each step is a signature of its own, because three places check them: the USDC contract, Ampersat’s contract
          and Ampersat itself.{' '}
          {chain.permit
            ? 'All are free.'
            : `USDC on ${chain.label} takes no signed allowance, so your wallet sends that one and pays the network’s fee.`}
        </p>
      )}
    </Card>
  );
}

/** What a wallet can sign at one agreement. */
export function callsOf(parts: readonly Part[]): SpendingCall[] {
  const jobs = parts.flatMap(({ done, job }) => (done || !job ? [] : [job]));
  return jobs.filter((job): job is SpendingCall => job.kind !== 'approve' && job.kind !== 'own');
}

/** The form above it is gone by now, so it comes into view by itself. */
export function AllSet() {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    line.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <p ref={line} role="status" className="flex gap-3">
      <Check aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent" />
      <span>
        You’re all set. Type <code className="font-mono">/tip @name 5</code> in a chat with the bot.
      </span>
    </p>
  );
}

type Part = {
  title: string;
  allows: string;
  done: boolean;
  verb: string;
  job: Job | undefined;
  other?: { job: Job; button: string } | undefined;
  instead?: ReactNode;
};

type Figures = typeof DEFAULTS;

export function partsOf({
  spending,
  chain,
  connection,
  figures,
  isPasskey,
}: {
  spending: SpendingOverview;
  chain: ChainSpending;
  connection: SpendingOverview['connections'][number] | undefined;
  figures: Figures;
  isPasskey: boolean;
}): Part[] {
  const token = usdcOf(chain);
  const { total, perTip, perDay } = figures;
  const same = (one: string, other: string) => compareAmounts(one, other) === 0;
  const allows = {
    allowance: allowanceWords(total, 'USDC', chain),
    limits: limitsWords(perTip, perDay, 'USDC', chain.label),
  };
  const isAllowed = token !== undefined && (token.allowance === null || compareAmounts(token.allowance, total) >= 0);
  const isLimited = token !== undefined && same(token.per_tip, perTip) && same(token.per_day, perDay);
  const approve: Job = { kind: 'approve', chain: chain.chain, amount: total };
  const both: Part = {
    title: 'Allowance and limits',
    allows: `${allows.allowance} ${allows.limits}`,
    done: isAllowed && isLimited,
    verb: 'Sign',
    job: { kind: 'allow', chain: chain.chain, amount: total, per_tip: perTip, per_day: perDay },
  };
  const oneByOne: Part[] = [
    {
      title: 'Allowance',
      allows: allows.allowance,
      done: isAllowed,
      verb: chain.permit ? 'Sign' : 'Approve',
      ...permitOr(chain, { kind: 'permit', chain: chain.chain, amount: total }, approve, isPasskey),
    },
    {
      title: 'Limits',
      allows: allows.limits,
      done: isLimited,
      verb: 'Sign',
      job: { kind: 'limits', chain: chain.chain, per_tip: perTip, per_day: perDay },
    },
  ];
  return [
    ...(chain.one_signature ? [both] : oneByOne),
    {
      title: 'Right to spend',
      allows: connection ? rightWords(connection, perTip, perDay) : 'Lets a connected chat spend within your limits.',
      done: connection?.can_spend === true && same(spending.command_cap, perTip) && same(spending.day_cap, perDay),
      verb: 'Sign',
      job: connection && {
        kind: 'right',
        connection_id: connection.id,
        command_cap: perTip,
        day_cap: perDay,
        ...(!isEvm(chain) && { chain: chain.chain }),
      },
      instead: (
        <div className="flex flex-col items-start gap-3 text-sm">
          <p>Connect a chat first.</p>
          <ButtonLink kind="filled" href="/connections">
            Connect a chat
          </ButtonLink>
        </div>
      ),
    },
  ];
}

/** A passkey sends no transaction, so where no allowance can be signed it gives none. */
function permitOr(
  chain: ChainSpending,
  permit: Job,
  approve: Job,
  isPasskey: boolean,
): Pick<Part, 'job' | 'other' | 'instead'> {
  if (isPasskey && !chain.permit)
    return {
      job: undefined,
      instead: (
        <p className="text-sm">
          USDC on {chain.label} takes no signed allowance: a wallet has to send a transaction that pays a network fee,
          which a passkey can’t. Choose another network.
        </p>
      ),
    };
  if (!chain.permit) return { job: approve };
  return { job: permit, ...(!isPasskey && { other: { job: approve, button: 'Approve in your wallet instead' } }) };
}

function problemOf(
  figures: Figures,
  { max_command_cap, max_day_cap }: SpendingOverview,
): { field: keyof Figures; text: string } | null {
  for (const field of ['perTip', 'perDay', 'total'] as const) {
    if (!isAmount(figures[field])) return { field, text: 'Enter a number, such as 100 or 2.50.' };
  }
  if (compareAmounts(figures.perTip, max_command_cap) > 0)
    return { field: 'perTip', text: `Up to ${padAmount(max_command_cap)}.` };
  if (compareAmounts(figures.perDay, max_day_cap) > 0)
    return { field: 'perDay', text: `Up to ${padAmount(max_day_cap)}.` };
  if (compareAmounts(figures.perDay, figures.perTip) < 0)
    return { field: 'perDay', text: 'Must be at least the limit per tip.' };
  return null;
}
