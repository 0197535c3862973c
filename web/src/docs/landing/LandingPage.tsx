// The front page: what Ampersat is for people in chats, merchants and developers, what it costs, and what keeps money safe.
import { ArrowRight } from 'lucide-react';
import { capitalised } from '../../app/format.ts';
import { LOCAL_STACK } from '../../app/localStack.ts';
import { Link } from '../../app/router.tsx';
import { useSession } from '../../app/session/useSession.ts';
import { WaitingHint } from '../../person/waiting/WaitingHint.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Wordmark } from '../../ui/Wordmark.tsx';
import { AcceptPayments } from './AcceptPayments.tsx';
import { ChatPreview } from './ChatPreview.tsx';
import { Costs } from './Costs.tsx';
import { Safety } from './Safety.tsx';

const WAYS = [
  { typed: '/tip @bob 5', what: 'sends Bob 5 USDC in any chat with the bot' },
  { typed: '/tip 5', what: 'as a reply, tips the author' },
  { typed: '/tip @bob @carol 5 for lunch', what: 'sends 5 USDC to each, with a note' },
  { typed: '/send @bob 20 on base', what: 'sends on the network you name' },
];

const FOOTER = [
  { href: '/docs', text: 'Documentation' },
  { href: '/docs/quickstart', text: 'Quickstart' },
  { href: '/docs/api', text: 'API reference' },
  { href: '/docs/webhooks', text: 'Webhooks' },
  { href: '/docs/errors', text: 'Errors' },
];

export function LandingPage() {
  const account = useSession().data?.account;
  return (
    <div className="mx-auto flex min-h-dvh max-w-256 flex-col px-4 sm:px-8">
      <header className="flex items-center justify-between gap-4 py-4">
        <Wordmark />
        <nav aria-label="Main" className="flex items-center gap-4 sm:gap-6">
          <Link href="/docs" className="min-h-10 content-center text-sm font-medium hover:text-accent">
            Docs
          </Link>
          {/* As wide as what it may become, so that nothing moves when the session is known. */}
          <ButtonLink href="/account" className="min-w-24 max-w-40 truncate">
            {account ? (account.handle ? `@${account.handle}` : 'Account') : 'Sign in'}
          </ButtonLink>
        </nav>
      </header>
      <main className="flex flex-col gap-16 pb-16 sm:gap-24">
        <section className="grid items-center gap-8 pt-6 sm:pt-12 min-[900px]:grid-cols-[minmax(0,1fr)_24rem] min-[900px]:gap-12">
          <div className="flex flex-col items-start gap-4">
            <h1 className="text-2xl font-semibold tracking-tight text-balance">
              Pay any <span className="text-accent">@handle</span> in stablecoins.
            </h1>
            <p className="max-w-120 text-lg text-muted">
              Send dollars in Telegram, Discord or X by typing a name. Accept them in your shop with a link or an API
              call.
            </p>
            <div className="mt-2 flex flex-wrap gap-3">
              <ButtonLink kind="filled" href="/account" className="min-h-12! px-6! text-base!">
                {account ? 'Open your account' : 'Get started'}
                <ArrowRight aria-hidden="true" className="size-5" />
              </ButtonLink>
              <ButtonLink href="/docs/quickstart" className="min-h-12! px-6! text-base!">
                Accept payments
              </ButtonLink>
            </div>
            {LOCAL_STACK && (
              <a
                href={LOCAL_STACK.chats}
                className="text-sm font-medium text-accent underline-offset-4 hover:underline"
              >
                Open the {LOCAL_STACK.name}
              </a>
            )}
            {account?.handle && <WaitingHint />}
          </div>
          <ChatPreview />
        </section>
        <section aria-labelledby="how" className="flex flex-col gap-4">
          <h2 id="how" className="text-xl font-semibold tracking-tight">
            Pay people in a chat
          </h2>
          <p className="max-w-160 text-muted">
            Connect your wallet once and set your limits. From then on a message is a payment. Someone new? The money
            waits for them for 7 days and returns to you if they don’t claim it.
          </p>
          <ul className="overflow-hidden rounded-2xl border border-line bg-surface">
            {WAYS.map(({ typed, what }) => (
              <li
                key={typed}
                className="grid items-baseline gap-x-4 gap-y-1 border-line px-4 py-3 not-first:border-t sm:grid-cols-[20rem_1fr]"
              >
                <code className="font-mono text-accent">{typed}</code>
                <span className="text-sm text-muted">{what}</span>
              </li>
            ))}
          </ul>
          <p className="text-sm text-muted">
            @bob is a name on the platform you type in. An Ampersat handle is written bob@ampersat.
          </p>
        </section>
        <AcceptPayments />
        <Costs />
        <Safety />
      </main>
      <footer className="mt-auto border-t border-line py-6">
        <nav aria-label="Footer" className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
          {FOOTER.map(({ href, text }) => (
            <Link key={href} href={href} className="min-h-8 content-center hover:text-accent">
              {text}
            </Link>
          ))}
          {LOCAL_STACK && (
            <a href={LOCAL_STACK.chats} className="min-h-8 content-center hover:text-accent">
              {capitalised(LOCAL_STACK.name)}
            </a>
          )}
        </nav>
      </footer>
    </div>
  );
}
