// The button that has the merchant's wallet send something, which the service then finds in a final block.
import { type ReactNode, useState } from 'react';
import { WalletAction } from '../../wallet/WalletAction.tsx';
import { RefusedError } from '../../wallet/waiting.ts';
import type { Calls } from './ordersApi.ts';
import { RUN_WORDS, runCalls } from './walletRun.ts';

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
  /** The only account that may send it, and what it is. */
  payee: string;
  why?: string;
  chainLabel: string;
  prepare: () => Promise<Calls>;
  /** Says the transaction to the service. @returns whether that has seen it */
  check: (txHash: string) => Promise<boolean>;
  onDone: () => void;
  onCancel?: () => void;
}) {
  const [sent, setSent] = useState<string | null>(null);
  return (
    <WalletAction
      {...rest}
      address={payee}
      why={why}
      isGoingOn={sent !== null}
      run={({ provider }, note) =>
        runCalls(provider, chainLabel, prepare, check, (stage) => note(RUN_WORDS[stage]), {
          txHash: sent,
          keep: setSent,
        })
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
