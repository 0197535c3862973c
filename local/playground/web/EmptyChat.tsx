// The empty state of a chat.
import { Button } from '../../../web/src/ui/Button.tsx';
import { EmptyNote } from '../../../web/src/ui/notices.tsx';
import type { Place } from './ChatTabs.tsx';

export function EmptyChat({
  place,
  greeting,
  onGreet,
  starting,
  onStart,
}: {
  place: Place;
  greeting: boolean;
  onGreet: () => void;
  starting: boolean;
  /** Sends `/start`: until then the bot can't write here. */
  onStart: () => void;
}) {
  if (place === 'direct')
    return (
      <EmptyNote title="Your own chat with the bot">
        <p className="mb-4">
          Try /connect, /balance or /help. Answers about your money come here, visible only to you.
        </p>
        <Button kind="filled" disabled={starting} onClick={onStart}>
          Start
        </Button>
      </EmptyNote>
    );
  return (
    <EmptyNote title="No messages yet">
      <p className="mb-4">
        Send a tip with one of the suggestions below, or let everyone say hello, so there’s someone to reply to.
      </p>
      <Button kind="filled" disabled={greeting} onClick={onGreet}>
        {greeting ? 'They are typing…' : 'Have everyone say hello'}
      </Button>
    </EmptyNote>
  );
}
