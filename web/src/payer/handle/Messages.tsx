// What supporters wrote, where they and the owner agreed: marked as theirs, never as the owner's words.
import type { ShownMessage } from '../../../../src/http/api/handlePageAnswers.ts';
import { padAmount } from '../../app/format.ts';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { useWords } from '../checkout/language.ts';

export function Messages({ messages }: { messages: ShownMessage[] }) {
  const { handlePage: words } = useWords();
  if (messages.length === 0) return null;
  return (
    <section aria-label={words.messages} className="flex flex-col gap-2">
      <h2 className="text-base font-semibold">{words.messages}</h2>
      <ul className="flex flex-col">
        {messages.map(({ id, name, note, amount, currency, at }) => (
          // Marks that pile up stay within their own row.
          <li key={id} className="flex flex-col gap-1 overflow-hidden border-line py-3 not-first:border-t">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm text-muted">
              <span className="min-w-0 break-words">
                <bdi>{name ?? words.unnamed}</bdi>
                {amount !== null && <span className="amount"> · {`${padAmount(amount)} ${currency}`}</span>}
              </span>
              <TimeAgo at={at} />
            </p>
            <blockquote dir="auto" className="break-words whitespace-pre-line">
              {note}
            </blockquote>
          </li>
        ))}
      </ul>
    </section>
  );
}
