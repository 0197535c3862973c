// A chat in which nobody has spoken: what it is for, and how to begin.
import { Button } from '../ui/Button.tsx';
import { EmptyNote } from '../ui/notices.tsx';
import type { Place } from './ChatTabs.tsx';

export function EmptyChat({ place, greeting, onGreet }: { place: Place; greeting: boolean; onGreet: () => void }) {
  if (place === 'direct')
    return (
      <EmptyNote title="Your own chat with the bot">
        Try /connect, /balance or /help. What concerns your money is answered here, where nobody else reads it.
      </EmptyNote>
    );
  return (
    <EmptyNote title="Nobody has spoken yet">
      <p className="mb-4">
        Send a tip with one of the suggestions below, or let everybody say a word first: then there is somebody to
        answer.
      </p>
      <Button kind="filled" disabled={greeting} onClick={onGreet}>
        {greeting ? 'They are typing…' : 'Let everybody say hello'}
      </Button>
    </EmptyNote>
  );
}
