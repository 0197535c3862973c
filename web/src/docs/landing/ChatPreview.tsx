// A payment in a chat as it looks there: a user's message and the bot's reply.
import type { ReactNode } from 'react';
import { Avatar } from '../../ui/Avatar.tsx';

export function ChatPreview() {
  return (
    <figure className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-4 sm:p-6">
      <figcaption className="text-sm text-muted">A payment in a group chat</figcaption>
      <Message name="Bob">Got the tickets! That’s 20 each.</Message>
      <Message name="Alice">
        <code className="font-mono text-accent">/tip @bob 20 for the tickets</code>
      </Message>
      <Message name="Ampersat" bot>
        ✅ @alice tipped @bob <span className="amount">20.00 USDC</span> “the tickets” (fee $0.10).{' '}
        <span className="text-accent underline underline-offset-2">View</span>
      </Message>
    </figure>
  );
}

function Message({ name, bot = false, children }: { name: string; bot?: boolean; children: ReactNode }) {
  return (
    <div className="flex gap-3">
      <Avatar name={name} bot={bot} />
      <div className={`min-w-0 grow rounded-2xl px-3 py-2 ${bot ? 'bg-soft' : 'bg-sunken'}`}>
        <p className="text-sm font-semibold">{name}</p>
        <p className="text-sm break-words">{children}</p>
      </div>
    </div>
  );
}
