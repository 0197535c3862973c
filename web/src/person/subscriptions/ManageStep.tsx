// The button behind every change of a plan, a subscription or an allowance.
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { WalletAction } from '../../wallet/WalletAction.tsx';
import { runManage, runManageOnSolana } from './manageRun.ts';
import { type ManageJob, refreshSubscriptions } from './subscriptionsApi.ts';

export function ManageStep({
  job,
  chain,
  isDone,
  onDone,
  ...rest
}: {
  job: ManageJob;
  chain: string;
  /** Whether the service shows the change. */
  isDone: () => Promise<boolean>;
  allows: ReactNode;
  button: string;
  kind?: 'filled' | 'outlined' | 'danger';
  /** The only account that can sign it, and what it is. */
  address: string;
  why: string;
  onDone: () => void;
  onCancel?: () => void;
  cancelWord?: string;
}) {
  const client = useQueryClient();
  return (
    <WalletAction
      {...rest}
      run={(wallet, note) =>
        'standard' in wallet
          ? runManageOnSolana({ wallet, note }, job, isDone)
          : runManage({ provider: wallet.provider, address: rest.address, chain, note }, job, isDone)
      }
      onDone={() => {
        void refreshSubscriptions(client);
        onDone();
      }}
    />
  );
}
