// The front page: what Ampersat is and how to pay somebody.
import { ArrowRight } from 'lucide-react';
import { HAS_PLAYGROUND } from '../hasPlayground.ts';
import { useSession } from '../session/useSession.ts';
import { WaitingHint } from '../tabs/WaitingHint.tsx';
import { ButtonLink } from '../ui/Button.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';

const WAYS = [
  { typed: '/tip @bob 5', what: 'gives Bob 5 USDC, in any chat with the bot' },
  { typed: '/tip 5', what: 'as an answer, tips whoever wrote that message' },
  { typed: '/tip @bob @carol 5 for lunch', what: 'gives each of them 5, with a note' },
  { typed: '/send @bob 20 on base', what: 'sends on the chain that you name' },
];

const RULES: { id?: string; title: string; text: string }[] = [
  {
    title: 'You see it first',
    text: 'Amount, fee, recipient and chain are named. Above 50 USD the bot asks before anything is taken.',
  },
  {
    title: 'It lands once',
    text: 'A tip is paid exactly once, from your wallet to theirs, and the chat shows a receipt.',
  },
  {
    id: 'fees',
    title: 'The fee is on top',
    text: '$0.05 under $5 and $0.10 from $5. The recipient gets the full amount.',
  },
  {
    title: 'You can stop it',
    text: 'Your wallet sets the limits. /pause stops all spending, and only your wallet can resume it.',
  },
];

export function LandingPage() {
  const account = useSession().data?.account;
  const own = account ? 'Open your account' : 'Sign in';
  return (
    <div className="mx-auto flex min-h-dvh max-w-192 flex-col gap-12 px-4 py-6 sm:px-8">
      <header className="flex items-center justify-between gap-4">
        <Wordmark />
        <ButtonLink href="/account">{account?.handle ? `@${account.handle}` : own}</ButtonLink>
      </header>
      <main className="flex flex-col gap-12">
        {account?.handle && <WaitingHint />}
        <section className="flex flex-col items-start gap-4 pt-4 sm:pt-12">
          <h1 className="text-2xl font-semibold tracking-tight text-balance">
            Pay any <span className="text-accent">@handle</span> in stablecoins.
          </h1>
          <p className="max-w-110 text-lg text-muted">
            From a chat, from a link, or by API. You type a name and an amount; their wallet has it seconds later.
          </p>
          <div className="mt-2 flex flex-wrap gap-3">
            <ButtonLink kind="filled" href="/account" className="min-h-12! px-6! text-base!">
              {own}
              <ArrowRight aria-hidden="true" className="size-5" />
            </ButtonLink>
            {HAS_PLAYGROUND && (
              <ButtonLink href="/playground" className="min-h-12! px-6! text-base!">
                Open the playground
              </ButtonLink>
            )}
          </div>
        </section>
        <section aria-labelledby="how" className="flex flex-col gap-4">
          <h2 id="how" className="text-lg font-semibold">
            How to pay someone
          </h2>
          <ul className="overflow-hidden rounded-2xl border border-line bg-surface">
            {WAYS.map(({ typed, what }) => (
              <li
                key={typed}
                className="grid items-baseline gap-x-4 gap-y-1 border-line sm:grid-cols-[20rem_1fr] px-4 py-3 not-first:border-t"
              >
                <code className="font-mono text-accent">{typed}</code>
                <span className="text-sm text-muted">{what}</span>
              </li>
            ))}
          </ul>
          <p className="text-sm text-muted">
            A bare @name is a name of the platform where you type. Somebody’s Ampersat handle is written name@ampersat.
          </p>
        </section>
        <ul className="grid gap-6 sm:grid-cols-2">
          {RULES.map(({ id, title, text }) => (
            <li key={title} id={id} className="border-l-2 border-accent pl-4">
              <h2 className="font-semibold">{title}</h2>
              <p className="text-sm text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </main>
    </div>
  );
}
