// The button that opens the tab, the wallet requests of each step, and how to continue after an error.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ChainSpending } from '../../../../src/http/api/spendingAnswers.ts';
import { navigate } from '../../app/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { type Step, Steps } from '../../ui/Steps.tsx';
import type { ChosenWallet } from '../spending/runCall.ts';
import { isEvm, SPENDING_KEY } from '../spending/spendingApi.ts';
import { useUsualWallet, WalletChoice } from '../spending/walletChoice.tsx';
import { forget, isUnderWay, type Staged } from './draft.ts';
import { type NewEscrow, noteEscrow } from './escrowApi.ts';
import { type OpenStage, openEscrow, openOnSolana, takesSignature } from './openEscrow.ts';
import { OPEN_WORDS } from './openWords.ts';

export function OpenStep({
  isContract,
  terms,
  chain,
  label,
  staged,
  onKeep,
}: {
  /** A contract's wallet approves and sends, which every one of them can. */
  isContract: boolean;
  /** Null while the form is not filled in. */
  terms: NewEscrow | null;
  chain: ChainSpending;
  label: string;
  staged: Staged | null;
  onKeep: (staged: Staged | null) => void;
}) {
  const client = useQueryClient();
  const usual = useUsualWallet(chain.family);
  const [chosen, setChosen] = useState<ChosenWallet | null>(null);
  const [run, setRun] = useState<{ steps: Step[]; endedAt: number | null }>({ steps: [], endedAt: null });
  const wallet = chosen?.family === chain.family ? chosen : usual;
  const task = useMutation({
    mutationFn: async (bySignature: boolean) => {
      if (!wallet || !terms) throw new Error('Choose a wallet first.');
      setRun({ steps: [], endedAt: null });
      const onStage = (stage: OpenStage) =>
        setRun(({ steps }) => ({
          steps: [...steps, { key: stage, at: Date.now(), ...OPEN_WORDS[stage] }],
          endedAt: null,
        }));
      if (wallet.family === 'solana') return openOnSolana(wallet.wallet, terms, staged, onKeep, onStage);
      if (!isEvm(chain)) throw new Error('Choose a wallet of this network first.');
      const { provider } = wallet.wallet;
      const at = { id: chain.chain_id, name: chain.chain, label: chain.label };
      return openEscrow({ provider, address: chain.wallet, chain: at, bySignature }, terms, staged, onKeep, onStage);
    },
    onSuccess: (escrow) => {
      forget();
      noteEscrow(client, escrow);
      void client.invalidateQueries({ queryKey: SPENDING_KEY });
      navigate(`/tabs/${escrow.id}`, { replace: true });
    },
    onSettled: () => setRun((known) => ({ ...known, endedAt: Date.now() })),
  });
  const problem = useRef<HTMLDivElement>(null);
  // On a phone what went wrong would stand below the edge.
  useEffect(() => {
    if (task.error) problem.current?.scrollIntoView({ block: 'nearest' });
  }, [task.error]);
  const canSign = takesSignature(chain.chain) && !isContract;
  const isSent = isUnderWay(staged);
  if (wallet === null) return <WalletChoice family={chain.family} disabled={terms === null} onChoose={setChosen} />;
  return (
    <div className="flex flex-col gap-3">
      {terms && !isSent && (
        <p className="text-sm">
          {!isEvm(chain)
            ? 'Your wallet asks once, for a signature. Ampersat sends the transaction and pays the network fee.'
            : canSign
              ? 'Your wallet asks twice: first for a signature that allows this amount for this tab within the next hour, then to send the transaction.'
              : 'Your wallet asks twice: first to approve exactly this amount, then to send the transaction.'}
        </p>
      )}
      <Button
        kind="filled"
        className="min-h-12! h-auto! py-2 text-base!"
        disabled={terms === null || task.isPending || !wallet}
        onClick={() => task.mutate(canSign)}
      >
        {task.isPending ? 'One moment…' : isSent ? 'Check status' : label}
      </Button>
      {canSign && task.isError && !isSent && (
        <Button kind="plain" className="self-start" onClick={() => task.mutate(false)}>
          Approve in your wallet instead
        </Button>
      )}
      {run.steps.length > 0 && <Steps {...run} failed={task.isError} />}
      <div ref={problem} className="scroll-mb-24 empty:hidden">
        {task.isError && <ErrorNote retry={() => task.mutate(canSign)}>{task.error.message}</ErrorNote>}
      </div>
      {isSent && !task.isPending && (
        <div className="flex flex-col items-start gap-1 text-sm">
          <p className="text-muted">
            This transaction was already sent. Start again only if it failed or was cancelled.
          </p>
          <Button kind="plain" onClick={() => onKeep(null)}>
            Start again
          </Button>
        </div>
      )}
    </div>
  );
}
