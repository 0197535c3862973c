// Adding or changing the Solana wallet: one press has the new wallet share its account and sign, then the wallet that the handle has agrees.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { PayoutWallet } from '../../../../src/http/api/walletAnswers.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { askSolanaAccount } from '../../wallet/solana/requests.ts';
import { SolanaWalletButtons } from '../../wallet/solana/WalletButtons.tsx';
import type { SolanaWallet } from '../../wallet/solana/wallets.ts';
import { Agreement, type SignedChange } from './Agreement.tsx';
import { prepareChange, signSolanaChange } from './walletApi.ts';

/** Adding one begins with the choice of it; a change can be left again. */
export function NewSolanaWallet({ wallet, onClose }: { wallet: PayoutWallet; onClose: () => void }) {
  const [signed, setSigned] = useState<SignedChange | null>(null);
  const prove = useMutation({
    mutationFn: async (next: SolanaWallet) => {
      const address = await askSolanaAccount(next);
      if (address === wallet.address)
        throw new Error('Your wallet is on your current account. Switch to the new one there, then try again.');
      const prepared = await prepareChange(address);
      setSigned({ address, prepared, signature: await signSolanaChange(next, address, prepared) });
    },
  });
  const isAddition = wallet.address === null;
  const leave = () => {
    setSigned(null);
    onClose();
  };
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      {signed && <Agreement signed={signed} isAddition={isAddition} onClose={leave} />}
      {!signed && (
        <>
          <p className="text-sm">
            The new wallet signs first, to prove that you control it. It signs a text that is valid for 15 minutes and
            moves no money.
          </p>
          <SolanaWalletButtons
            verb={isAddition ? 'Add' : 'Use'}
            disabled={prove.isPending}
            onChoose={(next) => prove.mutate(next)}
          />
          {prove.isPending && (
            <p role="status" className="text-sm text-muted">
              Sign the text in your wallet…
            </p>
          )}
          {!isAddition && (
            <Button kind="plain" className="self-start" disabled={prove.isPending} onClick={onClose}>
              Cancel
            </Button>
          )}
        </>
      )}
      {prove.isError && <ErrorNote>{prove.error.message}</ErrorNote>}
    </div>
  );
}
