// Changing the payout wallet: the new wallet proves itself; with the old one's signature it is at once, else after a delay.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readAddress } from '../../../../src/domain/command/addresses.ts';
import { shortHex } from '../../app/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { isSameAddress } from '../../wallet/requests.ts';
import { WalletButtons } from '../../wallet/WalletButtons.tsx';
import { rememberWallet, useWallets, usualWallet, type Wallet } from '../../wallet/wallets.ts';
import {
  type PayoutWallet,
  type PreparedChange,
  pickNewAddress,
  prepareChange,
  requestChange,
  signChange,
  WALLET_KEY,
} from './walletApi.ts';

type Signed = { address: string; prepared: PreparedChange; signature: string };

export function ChangeWallet({ wallet, onClose }: { wallet: PayoutWallet; onClose: () => void }) {
  const client = useQueryClient();
  const wallets = useWallets();
  const [chosen, setChosen] = useState<Wallet | null>(null);
  const [typed, setTyped] = useState('');
  const [signed, setSigned] = useState<Signed | null>(null);
  const app = chosen ?? (wallets && usualWallet(wallets));
  const address = readAddress(typed.trim());
  const isSame = typeof address === 'string' && isSameAddress(address, wallet.address);
  const error =
    typed.trim() === '' ? null : typeof address !== 'string' ? WHY_NOT : isSame ? 'This is already your wallet.' : null;

  const pick = useMutation({
    mutationFn: async (provider: Wallet['provider']) => {
      const found = await pickNewAddress(provider, wallet.address);
      if (!found) throw new Error('Your wallet shares only your current account. Share the new one with this page.');
      setTyped(String(readAddress(found.toLowerCase())));
    },
  });
  const prove = useMutation({
    mutationFn: async (provider: Wallet['provider']) => {
      if (typeof address !== 'string') throw new Error(WHY_NOT);
      const prepared = await prepareChange(address);
      setSigned({ address, prepared, signature: await signChange(provider, address, prepared) });
    },
  });
  const finish = useMutation({
    mutationFn: async ({ provider, isAtOnce }: { provider: Wallet['provider']; isAtOnce: boolean }) => {
      if (!signed) return;
      const old = isAtOnce ? { old_signature: await signChange(provider, wallet.address, signed.prepared) } : {};
      await requestChange(signed.address, signed.prepared, { new_signature: signed.signature, ...old });
      await client.invalidateQueries();
    },
    onSuccess: onClose,
    onError: () => void client.invalidateQueries({ queryKey: WALLET_KEY }),
  });
  const failed = pick.error ?? prove.error ?? finish.error;
  const isBusy = pick.isPending || prove.isPending || finish.isPending;

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
          <Button
            kind="filled"
            disabled={typeof address !== 'string' || isSame || isBusy}
            onClick={() => prove.mutate(app.provider)}
          >
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
      {signed && (
        <div className="flex flex-col gap-3">
          <p className="text-sm">
            {shortHex(signed.address)} has signed. If {shortHex(wallet.address)} signs too, the change takes effect
            immediately. Otherwise it takes effect after {signed.prepared.delay_hours} hours, and your connected chats
            are notified. Either way, your chats can only receive until you allow spending with the new wallet.
          </p>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button
              kind="filled"
              disabled={isBusy}
              onClick={() => finish.mutate({ provider: app.provider, isAtOnce: true })}
            >
              {finish.isPending ? 'One moment…' : 'Sign with the old wallet too'}
            </Button>
            <Button disabled={isBusy} onClick={() => finish.mutate({ provider: app.provider, isAtOnce: false })}>
              Change after {signed.prepared.delay_hours} hours
            </Button>
            <Button kind="plain" disabled={isBusy} onClick={onClose}>
              Cancel
            </Button>
          </div>
        </div>
      )}
      {failed && <ErrorNote>{failed.message}</ErrorNote>}
    </div>
  );
}

const WHY_NOT = 'Invalid address. Copy it from your wallet again.';
