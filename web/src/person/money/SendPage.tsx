// Send: a form while nothing is open; then the summary and the one press that pays; then how far the payment is. What is open is found by the service, so
// that a reload, another tab or another device goes on where it was.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SendView } from '../../../../src/http/api/sendAnswers.ts';
import { useSearch } from '../../app/router.tsx';
import { Shell } from '../../app/shell/Shell.tsx';
import { ModeBar } from '../../merchant/business/BusinessShell.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { BALANCES_KEY, isUnderWay, SENDS_KEY, useBalances, useSends } from './moneyApi.ts';
import { OpenSend } from './OpenSend.tsx';
import { RecentSends } from './RecentSends.tsx';
import { SendForm, type Wish } from './SendForm.tsx';

export function SendPage() {
  return (
    <Shell
      title="Send"
      why="Sign in to send money from your wallet."
      aside={<ButtonLink href="/receive">Receive</ButtonLink>}
    >
      {() => (
        <>
          <ModeBar />
          <Send />
        </>
      )}
    </Shell>
  );
}

/** `warning` is known where the send was prepared: by a press in this tab. */
type Prepared = { id: string; warning: 'contract' | null };

function Send() {
  const client = useQueryClient();
  const { data, error, refetch } = useSends();
  const { isPending: isWaiting } = useBalances();
  const search = useSearch();
  const [prepared, setPrepared] = useState<Prepared | null>(null);
  const [wish, setWish] = useState<Wish>({
    to: (search.get('to') ?? '').slice(0, 100),
    amount: (search.get('amount') ?? '').slice(0, 20),
    chain: (search.get('chain') ?? '').toLowerCase(),
  });
  if (error && !data) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  // The form waits for the balances: what is below it must not move.
  if (!data || isWaiting) return <Skeleton className="h-80" />;
  const underWay = data.find(isUnderWay);
  // What was found under way stays until its reader has seen how it ended.
  if (underWay && prepared?.id !== underWay.id) setPrepared({ id: underWay.id, warning: null });
  const open = underWay ?? data.find(({ id }) => id === prepared?.id);
  const note = (send: SendView) => {
    client.setQueryData<SendView[]>(SENDS_KEY, (known = []) => [send, ...known.filter(({ id }) => id !== send.id)]);
    void client.invalidateQueries({ queryKey: SENDS_KEY });
    void client.invalidateQueries({ queryKey: BALANCES_KEY });
  };
  const draft = data.find(({ status }) => status === 'draft');
  return (
    <>
      {open ? (
        <OpenSend
          key={open.id}
          send={open}
          warning={prepared?.id === open.id ? prepared.warning : null}
          onChange={note}
          onLeave={(next) => {
            note(next ?? open);
            setPrepared(null);
            if (open.status === 'completed') setWish({ to: '', amount: '', chain: '' });
          }}
        />
      ) : (
        <SendForm
          wish={wish}
          draft={draft ?? null}
          onChange={setWish}
          onResume={({ id }) => setPrepared({ id, warning: null })}
          onPrepared={({ send, warning }) => {
            note(send);
            setPrepared({ id: send.id, warning });
          }}
        />
      )}
      <RecentSends sends={data.filter(({ id, status }) => id !== open?.id && status !== 'draft')} />
    </>
  );
}
