// What is left between a wallet that was added and the first tip from it: a short list, which can be left and continued.
import type { ReactNode } from 'react';
import type { WalletFamily } from '../../../../src/domain/walletFamily.ts';
import { Link } from '../../app/router.tsx';
import { DEFAULTS } from './AllowFlow.tsx';
import { hasRight, isChainReady } from './allowed.ts';
import { allowanceWords, limitsWords } from './allowWords.ts';
import { PartMark } from './PartMark.tsx';
import { SignStep } from './SignStep.tsx';
import { isReachable, signerOn, useSpending } from './spendingApi.ts';

/** For a network on which one signature allows everything. */
export function SetUpSpending({ family }: { family: WalletFamily }) {
  const { data } = useSpending();
  const chain = data?.chains.filter(isReachable).find((one) => one.family === family && one.one_signature);
  if (!data || !chain) return null;
  const [isAllowed, mayChat] = [isChainReady(chain), hasRight(data)];
  const { total, perTip, perDay } = DEFAULTS;
  const steps: Step[] = [
    { title: 'Wallet added', done: true },
    {
      title: `Allow spending on ${chain.label}`,
      done: isAllowed,
      body: (
        <SignStep
          signer={signerOn(chain)}
          job={{ kind: 'allow', chain: chain.chain, amount: total, per_tip: perTip, per_day: perDay }}
          chainLabel={chain.label}
          allows={`${allowanceWords(total, 'USDC', chain)} ${limitsWords(perTip, perDay, 'USDC', chain.label)} Other amounts can be chosen under Spending.`}
          button={`Allow on ${chain.label}`}
        />
      ),
    },
    {
      title: 'A chat that may spend',
      done: mayChat,
      body: (
        <Link href="/spending" className="text-sm text-accent underline-offset-4 hover:underline">
          Give a chat the right to spend
        </Link>
      ),
    },
  ];
  const current = steps.findIndex(({ done }) => !done);
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      {current === -1 ? (
        <p role="status" className="text-sm">
          Ready to tip on {chain.label}: type <code className="font-mono">/tip @name 5 on {chain.chain}</code> in a
          chat.
        </p>
      ) : (
        <ol aria-label={`Steps to the first tip on ${chain.label}`} className="flex flex-col gap-3">
          {steps.map(({ title, done, body }, index) => (
            <li key={title} className="flex gap-3">
              <PartMark state={done ? 'done' : index === current ? 'current' : 'later'} />
              <div className="flex min-w-0 grow flex-col gap-2">
                <span className={index === current ? 'font-semibold' : 'text-muted'}>{title}</span>
                {index === current && body}
              </div>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

type Step = { title: string; done: boolean; body?: ReactNode };
