// The page without a link that works: where to get one.
import { ButtonLink } from '../../ui/Button.tsx';
import { Title } from '../../ui/Title.tsx';

export function NoLink() {
  return (
    <>
      <Title>Connect a chat</Title>
      <HowToGetOne />
    </>
  );
}

const WORDS = {
  expired: {
    title: 'This link has expired',
    text: 'Links work once, for 15 minutes. Nothing was connected.',
  },
  declined: { title: 'Not connected', text: 'You declined in the chat. Nothing was connected.' },
};

export function LinkOver({ status = 'expired' }: { status?: keyof typeof WORDS }) {
  const { title, text } = WORDS[status];
  return (
    <>
      <Title>{title}</Title>
      <p className="text-muted">{text}</p>
      <HowToGetOne />
    </>
  );
}

function HowToGetOne() {
  return (
    <section aria-label="How to get a link" className="flex flex-col gap-4">
      <ol className="flex list-decimal flex-col gap-2 pl-5 marker:text-muted">
        <li>Open your direct chat with the bot.</li>
        <li>
          Type <code className="rounded-sm bg-sunken px-1.5 py-0.5 font-mono">/connect</code>
        </li>
        <li>Open the link in its reply. It works only for you.</li>
      </ol>
      <ButtonLink href="/connections" className="self-start">
        Or log in at the platform
      </ButtonLink>
    </section>
  );
}
