// The sender's part before the deadline: whether it can be refunded, and how.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { findChain } from '../../../../src/domain/chains.ts';
import { SPONSORED_REFUND_AFTER_MS } from '../../../../src/domain/escrow.ts';
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { ApiError } from '../../app/apiError.ts';
import { exactTime } from '../../app/format.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { type Step, Steps } from '../../ui/Steps.tsx';
import { useNow } from '../../ui/TimeAgo.tsx';
import { SolanaWalletButtons } from '../../wallet/solana/WalletButtons.tsx';
import {
  rememberSolanaWallet,
  type SolanaWallet,
  useSolanaWallets,
  usualSolanaWallet,
} from '../../wallet/solana/wallets.ts';
import { WalletButtons } from '../../wallet/WalletButtons.tsx';
import { rememberWallet, useWallets, usualWallet, type Wallet } from '../../wallet/wallets.ts';
import { noteEscrow } from './escrowApi.ts';
import { BACK_WORDS, type BackStage, takeBackBySignature, takeBackFromWallet, takeBackOnSolana } from './takeBack.ts';

export function RefundBox({ escrow, account }: { escrow: EscrowView; account: OwnAccount }) {
  return (
    <Card title="Waiting to be claimed">
      {escrow.refundable === 'by_sender' ? (
        <TakeBackPart escrow={escrow} account={account} />
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

function TakeBackPart({ escrow, account }: { escrow: EscrowView; account: OwnAccount }) {
  const isOnSolana = findChain(escrow.chain)?.family === 'solana';
  return isOnSolana ? <TakeBackOnSolana escrow={escrow} /> : <TakeBack escrow={escrow} account={account} />;
}

/** Soon after the opening, and above a daily limit, the service sponsors no refund. */
function isYoung({ opened_at, created_at }: EscrowView, now: number): boolean {
  return now - Date.parse(opened_at ?? created_at) < SPONSORED_REFUND_AFTER_MS;
}

function TakeBackOnSolana({ escrow }: { escrow: EscrowView }) {
  const wallets = useSolanaWallets();
  const [chosen, setChosen] = useState<SolanaWallet | null>(null);
  const wallet = chosen ?? usualSolanaWallet(wallets);
  const run = useTakeBack((onStage) => {
    if (!wallet) throw new Error('Choose a wallet first.');
    return takeBackOnSolana(wallet, escrow, onStage);
  });
  const mustWait = isYoung(escrow, useNow());
  return (
    <>
      <p className="text-sm">
        You can take it back until it is claimed.{' '}
        {mustWait
          ? 'Ten minutes after opening, your wallet signs the return and Ampersat sends it.'
          : 'Your wallet signs the return. Ampersat sends it and pays the network fee.'}
      </p>
      {wallet ? (
        <TakeBackButton disabled={mustWait} run={run} onPress={() => run.refund.mutate()} />
      ) : (
        <SolanaWalletButtons
          verb="Use"
          onChoose={(next) => {
            rememberSolanaWallet(next);
            setChosen(next);
          }}
        />
      )}
      <Outcome escrow={escrow} run={run} retry={() => run.refund.mutate()} />
    </>
  );
}

function TakeBack({ escrow, account }: { escrow: EscrowView; account: OwnAccount }) {
  const wallets = useWallets();
  const [chosen, setChosen] = useState<Wallet | null>(null);
  const wallet = chosen ?? (wallets && usualWallet(wallets));
  const now = useNow();
  const run = useTakeBack((onStage) => {
    if (!wallet) throw new Error('Choose a wallet first.');
    const take = bySignature ? takeBackBySignature : takeBackFromWallet;
    return take({ provider: wallet.provider, address: account.address }, escrow, onStage);
  });
  const isRefused = run.refund.error instanceof ApiError && run.refund.error.code === 'rate_limited';
  // The sender's wallet pays the network fee where the service does not.
  const bySignature = !isYoung(escrow, now) && !isRefused;
  return (
    <>
      <p className="text-sm">
        You can take it back until it is claimed.{' '}
        {bySignature
          ? 'Your wallet signs the return. Ampersat sends it and pays the network fee.'
          : 'Your wallet sends the transaction and pays a small network fee.'}
        {isYoung(escrow, now) && ' Ten minutes after opening, Ampersat can send it for you.'}
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
        <TakeBackButton disabled={!wallet} run={run} onPress={() => run.refund.mutate()} />
      )}
      <Outcome escrow={escrow} run={run} {...(!isRefused && { retry: () => run.refund.mutate() })} />
    </>
  );
}

type Run = ReturnType<typeof useTakeBack>;

/** Taking it back, and how far that is. */
function useTakeBack(take: (onStage: (stage: BackStage) => void) => Promise<EscrowView>) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<{ steps: Step[]; endedAt: number | null }>({ steps: [], endedAt: null });
  const refund = useMutation({
    mutationFn: () => {
      setProgress({ steps: [], endedAt: null });
      return take((stage) =>
        setProgress(({ steps }) => ({
          steps: [...steps, { key: stage, at: Date.now(), ...BACK_WORDS[stage] }],
          endedAt: null,
        })),
      );
    },
    onSuccess: (escrow) => noteEscrow(client, escrow),
    onSettled: () => setProgress((known) => ({ ...known, endedAt: Date.now() })),
  });
  return { refund, progress };
}

function TakeBackButton({ disabled, run, onPress }: { disabled: boolean; run: Run; onPress: () => void }) {
  const { isPending } = run.refund;
  return (
    <Button className="min-h-12! text-base!" disabled={disabled || isPending} onClick={onPress}>
      {isPending ? 'One moment…' : 'Take it back'}
    </Button>
  );
}

function Outcome({ escrow, run, retry }: { escrow: EscrowView; run: Run; retry?: () => void }) {
  const { refund, progress } = run;
  return (
    <>
      {progress.steps.length > 0 && <Steps {...progress} failed={refund.isError} />}
      {refund.isError && <ErrorNote {...(retry && { retry })}>{refund.error.message}</ErrorNote>}
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
