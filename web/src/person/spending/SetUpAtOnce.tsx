// What is left until the first tip from a chat that was just connected: for a passkey a short list and one press, for other wallets the way to the page that
// has a step for each.
import { type ReactNode, useState } from 'react';
import { Card } from '../../ui/Card.tsx';
import { Skeleton } from '../../ui/notices.tsx';
import { OneDeviceNote } from '../../wallet/passkey/OneDeviceNote.tsx';
import { AllSet, callsOf, DEFAULTS, partsOf } from './AllowFlow.tsx';
import { OnePress } from './OnePress.tsx';
import { PartMark } from './PartMark.tsx';
import { isEvm, isReachable, useSpending } from './spendingApi.ts';
import { useIsPasskey } from './walletChoice.tsx';

export function SetUpAtOnce({ connectionId, otherwise }: { connectionId: string | null; otherwise: ReactNode }) {
  const { data, isError } = useSpending();
  const [isStarted, setIsStarted] = useState(false);
  const chain = data?.chains.filter(isReachable).find((one) => isEvm(one) && one.permit);
  const isPasskey = useIsPasskey(chain?.wallet);
  if (!data) return isError ? otherwise : <Skeleton className="h-48" />;
  const connection = data.connections.find(({ id }) => id === connectionId);
  if (!chain || !connection || !isPasskey) return otherwise;
  const parts = partsOf({ spending: data, chain, connection, figures: DEFAULTS, isPasskey });
  const calls = callsOf(parts);
  if (calls.length === 0) return isStarted ? <AllSet /> : otherwise;
  return (
    <Card title="Allow tips from this chat">
      <p className="text-sm text-muted">Nothing is charged now. Other amounts can be chosen under Spending.</p>
      <ol className="flex flex-col gap-3">
        {parts.map(({ title, allows, done }) => (
          <li key={title} className="flex gap-3">
            <PartMark state={done ? 'done' : 'later'} />
            <div className="flex min-w-0 grow flex-col">
              <h3 className="font-semibold">{title}</h3>
              <p className="text-sm text-muted">{allows}</p>
            </div>
          </li>
        ))}
      </ol>
      <OneDeviceNote />
      <OnePress calls={calls} address={chain.wallet} chainLabel={chain.label} onStart={() => setIsStarted(true)} />
    </Card>
  );
}
