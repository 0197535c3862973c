// The button that has the merchant's wallet send something, or sign what an executor sends; the service then finds it in a final block.
import { type ReactNode, useState } from 'react';
import { WalletAction } from '../../wallet/WalletAction.tsx';
import { RefusedError } from '../../wallet/waiting.ts';
import type { Calls, Whole } from './ordersApi.ts';
import { RUN_WORDS, runStep, type Sent } from './walletRun.ts';

export function WalletStep({
  payee,
  why = 'which received the payment',
  chainLabel,
  prepare,
  check,
  onDone,
  ...rest
}: {
  /** One or two sentences on what the wallet will request and what that does. */
  allows: ReactNode;
  button: string;
  kind?: 'filled' | 'outlined';
  disabled?: boolean;
  /** The only account that may do it, and what it is. */
  payee: string;
  why?: string;
  chainLabel: string;
  prepare: () => Promise<Calls | Whole>;
  /** Says the transaction to the service. @returns whether that has seen it */
  check: (txHash: string) => Promise<boolean>;
  onDone: () => void;
  onCancel?: () => void;
}) {
  const [sent, setSent] = useState<Sent | null>(null);
  return (
    <WalletAction
      {...rest}
      address={payee}
      why={why}
      isGoingOn={sent !== null}
      run={(wallet, note) =>
        runStep(wallet, chainLabel, prepare, check, (stage) => note(RUN_WORDS[stage]), { sent, keep: setSent })
      }
      onDone={() => {
        setSent(null);
        onDone();
      }}
      onError={(error) => {
        if (error instanceof RefusedError) setSent(null);
      }}
    />
  );
}
