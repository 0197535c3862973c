// Changing the EVM wallet, or adding a first one: the new wallet proves itself, then the wallet that the handle has agrees.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { readAddress } from '../../../../src/domain/command/addresses.ts';
import { familyOf, isSameAddress } from '../../../../src/domain/walletFamily.ts';
import type { PayoutWallet } from '../../../../src/http/api/walletAnswers.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { WalletButtons } from '../../wallet/WalletButtons.tsx';
import { rememberWallet, useWallets, usualWallet, type Wallet } from '../../wallet/wallets.ts';
import { Agreement, type SignedChange } from './Agreement.tsx';
import { pickNewAddress, prepareChange, signChange } from './walletApi.ts';

export function ChangeWallet({ wallet, onClose }: { wallet: PayoutWallet; onClose: () => void }) {
  const wallets = useWallets();
  const [chosen, setChosen] = useState<Wallet | null>(null);
  const [typed, setTyped] = useState('');
  const [signed, setSigned] = useState<SignedChange | null>(null);
  const app = chosen ?? (wallets && usualWallet(wallets));
  const address = readAddress(typed.trim());
  const isEvm = typeof address === 'string' && familyOf(address) === 'evm';
  const isSame = isEvm && wallet.address !== null && isSameAddress(address, wallet.address);
  const error = typed.trim() === '' ? null : !isEvm ? WHY_NOT : isSame ? 'This is already your wallet.' : null;

  const pick = useMutation({
    mutationFn: async (provider: Wallet['provider']) => {
      const found = await pickNewAddress(provider, wallet.address);
      if (!found) throw new Error('Your wallet shares only your current account. Share the new one with this page.');
      setTyped(String(readAddress(found.toLowerCase())));
    },
  });
  const prove = useMutation({
    mutationFn: async (provider: Wallet['provider']) => {
      if (!isEvm) throw new Error(WHY_NOT);
      const prepared = await prepareChange(address);
      setSigned({ address, prepared, signature: await signChange(provider, address, prepared) });
    },
  });
  const failed = pick.error ?? prove.error;
  const isBusy = pick.isPending || prove.isPending;

  if (!app)
    return (
      <WalletButtons
        verb="Use"
        onChoose={(next) => {
          rememberWallet(next);
          setChosen(next);
        }}
      />
    );
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <Field
        label="The new wallet’s address"
        name="new_address"
        placeholder="0x…"
        maxLength={42}
        disabled={signed !== null || isBusy}
        value={typed}
        error={error}
        hint="It signs first, to prove that you control it."
        onChange={(event) => setTyped(event.target.value)}
      />
      {!signed && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button kind="filled" disabled={!isEvm || isSame || isBusy} onClick={() => prove.mutate(app.provider)}>
            {prove.isPending ? 'Waiting for the new wallet…' : 'Sign with the new wallet'}
          </Button>
          <Button kind="plain" disabled={isBusy} onClick={() => pick.mutate(app.provider)}>
            Use an account from {app.name}
          </Button>
          <Button kind="plain" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
        </div>
      )}
      {signed && <Agreement signed={signed} isAddition={wallet.address === null} onClose={onClose} />}
      {failed && <ErrorNote>{failed.message}</ErrorNote>}
    </div>
  );
}

const WHY_NOT = 'Invalid address. Copy it from your wallet again.';
