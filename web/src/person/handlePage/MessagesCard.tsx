// What payers wrote on one's page: all of it for the owner, each with whether visitors see it.
import type { OwnMessage } from '../../../../src/http/api/handlePageAnswers.ts';
import { padAmount } from '../../app/format.ts';
import { Link } from '../../app/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyNote, ErrorNote } from '../../ui/notices.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { useHideMessage, useMessages } from './ownPageApi.ts';

export function MessagesCard() {
  const list = useMessages();
  const hide = useHideMessage();
  return (
    <section aria-labelledby="messages" className="flex flex-col gap-4">
      <h2 id="messages" className="text-base font-semibold">
        Messages
      </h2>
      <PagedList
        list={list}
        name="Messages"
        empty={
          <EmptyNote title="No messages yet">
            A note that someone pays with appears here. Others see it only if the payer agreed and you show messages.
          </EmptyNote>
        }
        row={(message) => (
          <MessageRow
            key={message.id}
            message={message}
            isBusy={hide.isPending && hide.variables.id === message.id}
            onHide={(hidden) => hide.mutate({ id: message.id, hidden })}
          />
        )}
      />
      {hide.isError && <ErrorNote>{hide.error.message}</ErrorNote>}
    </section>
  );
}

function MessageRow({
  message,
  isBusy,
  onHide,
}: {
  message: OwnMessage;
  isBusy: boolean;
  onHide: (hidden: boolean) => void;
}) {
  const { order, name, note, amount, currency, livemode, at, may_show, hidden } = message;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-line px-2 py-3 not-first:border-t">
      <div className="flex min-w-0 grow basis-60 flex-col gap-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
          <bdi className="min-w-0 break-words">{name ?? 'No name'}</bdi>
          <Link href={`/orders/${order}`} className="amount underline underline-offset-4">
            {`${padAmount(amount)} ${currency}`}
          </Link>
          {!livemode && <span>test</span>}
          <TimeAgo at={at} />
        </p>
        {note && (
          <p dir="auto" className="overflow-hidden break-words whitespace-pre-line">
            {note}
          </p>
        )}
      </div>
      {may_show ? (
        <Button disabled={isBusy} onClick={() => onHide(!hidden)}>
          {hidden ? 'Show on my page' : 'Hide from my page'}
        </Button>
      ) : (
        <span className="text-sm text-muted">For you only</span>
      )}
    </li>
  );
}
