// A new price of a plan that one subscribes to: what it is, when it would begin, and the way to switch.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { chainLabel } from '../../../../src/domain/chains.ts';
import { ApiError } from '../../app/apiError.ts';
import { dayName } from '../../app/format.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { providerOf } from '../../wallet/anyWallet.ts';
import { signTyped, type WalletProvider } from '../../wallet/requests.ts';
import { type NoteStep, WalletAction } from '../../wallet/WalletAction.tsx';
import { notYet, until } from '../../wallet/waiting.ts';
import {
  fetchRequest,
  fetchSubscription,
  prepareSwitch,
  refreshSubscriptions,
  type SubscriptionView,
  submitSwitch,
} from './subscriptionsApi.ts';
import { priceWords } from './words.ts';

const SLOW = 'This is taking longer than usual. You can close this page and check again in a few minutes.';
const REFUSED = 'The network rejected the cancellation. Nothing was changed.';

export function SwitchBox({
  sub,
  account,
  onDone,
}: {
  sub: SubscriptionView;
  account: OwnAccount;
  onDone: () => void;
}) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['switch', sub.id],
    queryFn: () => prepareSwitch(sub.id),
    retry: false,
  });
  // Where no signature can be kept until then, the answer says what to do instead.
  if (error instanceof ApiError && error.code === 'unsupported_chain')
    return <p className="text-sm">{error.message}</p>;
  if (error) return <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>;
  if (!data) return <Skeleton className="h-24" />;
  return (
    <WalletAction
      kind="filled"
      button={`Switch to ${priceWords(data.plan)}`}
      address={account.address}
      why="which subscribes"
      allows={`Your subscription at ${priceWords(sub)} ends, and stays paid until ${dayName(Date.parse(data.starts_at))}. The new price is charged first then: nothing is paid twice. Your wallet signs ${data.permit ? 'three times' : 'twice'}; Ampersat pays the network fees.`}
      run={(wallet, note) => run(providerOf(wallet), account.address, sub, note)}
      onDone={() => {
        void refreshSubscriptions(client);
        onDone();
      }}
      onCancel={onDone}
    />
  );
}

/** @throws WalletError, ApiError, or Error with a sentence for people */
async function run(provider: WalletProvider, address: string, sub: SubscriptionView, note: NoteStep): Promise<void> {
  note({ now: 'Preparing…', after: 'Prepared' });
  const { cancel, subscribe, permit, submit } = await prepareSwitch(sub.id);
  const sign = (data: typeof cancel) => signTyped(provider, address, data, chainLabel(sub.chain));
  note({ now: 'Sign the end of the old subscription in your wallet…', after: 'Signed the end of the old one' });
  const cancelSignature = await sign(cancel);
  const permitSignature = permit && (await sign(permit));
  note({ now: 'Sign the new subscription in your wallet…', after: 'Signed the new one' });
  const signature = await sign(subscribe);
  note({ now: 'Checking the signatures and sending…', after: 'Sent' });
  const { id } = await submitSwitch(sub.id, submit, {
    cancel_signature: cancelSignature,
    signature,
    ...(permitSignature ? { permit_signature: permitSignature } : {}),
  });
  note({ now: 'Waiting for confirmations…', after: 'Confirmed' });
  await until(async () => {
    const request = await fetchRequest(id).catch(notYet);
    if (request?.status === 'failed') throw new Error(request.failure ?? REFUSED);
    return (await fetchSubscription(sub.id)).status === 'cancelled';
  }, SLOW);
}
