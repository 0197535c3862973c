// The sender's part before the deadline: whether it can be refunded, and how.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { SPONSORED_REFUND_AFTER_MS } from '../../../../src/domain/escrow.ts';
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { ApiError } from '../../app/api.ts';
import { exactTime } from '../../app/format.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { type Step, Steps } from '../../ui/Steps.tsx';
import { useNow } from '../../ui/TimeAgo.tsx';
import { WalletButtons } from '../../wallet/WalletButtons.tsx';
import { rememberWallet, useWallets, usualWallet, type Wallet } from '../../wallet/wallets.ts';
import { noteEscrow } from './escrowApi.ts';
import { BACK_WORDS, takeBackBySignature, takeBackFromWallet } from './takeBack.ts';

export function RefundBox({ escrow, account }: { escrow: EscrowView; account: OwnAccount }) {
  return (
    <Card title="Waiting to be claimed">
      {escrow.refundable === 'by_sender' ? (
        <TakeBack escrow={escrow} account={account} />
      ) : (
        <p className="text-sm">
          If unclaimed, it returns to your wallet automatically after {exactTime(escrow.deadline * 1_000)}. Until then{' '}
          {escrow.recipient_label} can rely on it.
        </p>
      )}
      <CopyLink name={escrow.recipient_label} />
    </Card>
  );
}

function TakeBack({ escrow, account }: { escrow: EscrowView; account: OwnAccount }) {
  const client = useQueryClient();
  const now = useNow();
  const wallets = useWallets();
  const [chosen, setChosen] = useState<Wallet | null>(null);
  const [run, setRun] = useState<{ steps: Step[]; endedAt: number | null }>({ steps: [], endedAt: null });
  const wallet = chosen ?? (wallets && usualWallet(wallets));
  const refund = useMutation({
    mutationFn: (bySignature: boolean) => {
      if (!wallet) throw new Error('Choose a wallet first.');
      setRun({ steps: [], endedAt: null });
      const take = bySignature ? takeBackBySignature : takeBackFromWallet;
      return take({ provider: wallet.provider, address: account.address }, escrow, (stage) =>
        setRun(({ steps }) => ({
          steps: [...steps, { key: stage, at: Date.now(), ...BACK_WORDS[stage] }],
          endedAt: null,
        })),
      );
    },
    onSuccess: (escrow) => noteEscrow(client, escrow),
    onSettled: () => setRun((known) => ({ ...known, endedAt: Date.now() })),
  });
  // Soon after the opening, and above a daily limit, the service sponsors no refund: the sender's wallet pays the network fee.
  const isYoung = now - Date.parse(escrow.opened_at ?? escrow.created_at) < SPONSORED_REFUND_AFTER_MS;
  const isRefused = refund.error instanceof ApiError && refund.error.code === 'rate_limited';
  const bySignature = !isYoung && !isRefused;
  return (
    <>
      <p className="text-sm">
        You can take it back until it is claimed.{' '}
        {bySignature
          ? 'Your wallet signs the return. Ampersat sends it and pays the network fee.'
          : 'Your wallet sends the transaction and pays a small network fee.'}
        {isYoung && ' Ten minutes after opening, Ampersat can send it for you.'}
      </p>
      {wallets && !wallet ? (
        <WalletButtons
          verb="Use"
          onChoose={(next) => {
            rememberWallet(next);
            setChosen(next);
          }}
        />
      ) : (
        <Button
          className="min-h-12! text-base!"
          disabled={!wallet || refund.isPending}
          onClick={() => refund.mutate(bySignature)}
        >
          {refund.isPending ? 'One moment…' : 'Take it back'}
        </Button>
      )}
      {run.steps.length > 0 && <Steps {...run} failed={refund.isError} />}
      {refund.isError && (
        <ErrorNote {...(!isRefused && { retry: () => refund.mutate(bySignature) })}>{refund.error.message}</ErrorNote>
      )}
      {!refund.isError && !refund.isPending && escrow.refund?.status === 'failed' && (
        <ErrorNote>
          {escrow.refund.failure ?? 'The last attempt failed.'} The money is still locked in the tab.
        </ErrorNote>
      )}
    </>
  );
}

const SHOW_COPIED_MS = 2_000;

/** The recipient has to know about the tab to claim it. */
function CopyLink({ name }: { name: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(location.href);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOW_COPIED_MS);
  };
  return (
    <Button className="min-h-12!" onClick={() => void copy()}>
      {copied ? <Check aria-hidden="true" className="size-4" /> : <Copy aria-hidden="true" className="size-4" />}
      {copied ? 'Copied' : `Copy the link for ${name}`}
    </Button>
  );
}
