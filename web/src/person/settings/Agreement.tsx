// The second half of changing or adding a payout wallet: a wallet that the handle has signs too, and it is at once; else it waits.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WalletFamily } from '../../../../src/domain/walletFamily.ts';
import type { PreparedWalletChange } from '../../../../src/http/api/walletAnswers.ts';
import { shortHex } from '../../app/format.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { WalletError } from '../../wallet/requests.ts';
import { rememberSolanaWallet, useSolanaWallets, usualSolanaWallet } from '../../wallet/solana/wallets.ts';
import { WalletButtons, WalletList } from '../../wallet/WalletButtons.tsx';
import { rememberWallet, useWallets, usualWallet } from '../../wallet/wallets.ts';
import { requestChange, signChange, signSolanaChange, WALLET_KEY } from './walletApi.ts';

export type SignedChange = { address: string; prepared: PreparedWalletChange; signature: string };

/** Has the wallet of the handle sign. */
type Sign = (prepared: PreparedWalletChange) => Promise<string>;

export function Agreement({
  signed,
  isAddition,
  onClose,
}: {
  signed: SignedChange;
  isAddition: boolean;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [sign, setSign] = useState<Sign | null>(null);
  const { address, prepared, signature } = signed;
  const { current_wallet: current, delay_hours: hours } = prepared;
  const finish = useMutation({
    mutationFn: async (agree: Sign | null) => {
      const old = agree ? { old_signature: await agree(prepared) } : {};
      await requestChange(address, prepared, { new_signature: signature, ...old });
      await client.invalidateQueries();
    },
    onSuccess: onClose,
    onError: () => void client.invalidateQueries({ queryKey: WALLET_KEY }),
  });
  const usual = useUsualSigner(current);
  const agree = sign ?? usual;
  const isBusy = finish.isPending;
  const choices = useWalletCount(current.family);
  // Another wallet of this browser may have the account.
  const isOther = choices > 1 && finish.error instanceof WalletError && finish.error.problem === 'wrong_account';
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">
        {shortHex(address)} has signed. If {shortHex(current.address)} signs too,{' '}
        {isAddition ? 'it is added' : 'the change takes effect'} immediately. Otherwise it takes effect after {hours}{' '}
        hours, and your connected chats are notified.
        {!isAddition && ' Either way, your chats can only receive until you allow spending with the new wallet.'}
      </p>
      {(!agree || isOther) && (
        <SignerChoice family={current.family} onChoose={(next) => setSign(() => next(current.address))} />
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {agree && (
          <Button kind="filled" disabled={isBusy} onClick={() => finish.mutate(agree)}>
            {isBusy ? 'One moment…' : `Sign with the ${isAddition ? 'current' : 'old'} wallet too`}
          </Button>
        )}
        <Button disabled={isBusy} onClick={() => finish.mutate(null)}>
          {isAddition ? 'Add' : 'Change'} after {hours} hours
        </Button>
        <Button kind="plain" disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
      </div>
      {finish.isError && <ErrorNote>{finish.error.message}</ErrorNote>}
    </div>
  );
}

/** With the wallet that this browser used last; null where that is not known. */
function useUsualSigner({ family, address }: PreparedWalletChange['current_wallet']): Sign | null {
  const [evm, solana] = [useWallets(), useSolanaWallets()];
  if (family === 'evm') {
    const wallet = evm && usualWallet(evm);
    return wallet && ((prepared) => signChange(wallet.provider, address, prepared));
  }
  const wallet = usualSolanaWallet(solana);
  return wallet && ((prepared) => signSolanaChange(wallet, address, prepared));
}

function useWalletCount(family: WalletFamily): number {
  const [evm, solana] = [useWallets(), useSolanaWallets()];
  return family === 'evm' ? (evm?.length ?? 0) : solana.length;
}

function SignerChoice({
  family,
  onChoose,
}: {
  family: WalletFamily;
  onChoose: (signerOf: (address: string) => Sign) => void;
}) {
  const solana = useSolanaWallets();
  if (family === 'evm')
    return (
      <WalletButtons
        verb="Use"
        onChoose={(wallet) => {
          rememberWallet(wallet);
          onChoose((address) => (prepared) => signChange(wallet.provider, address, prepared));
        }}
      />
    );
  return (
    <WalletList
      verb="Use"
      wallets={solana}
      onChoose={(wallet) => {
        rememberSolanaWallet(wallet);
        onChoose((address) => (prepared) => signSolanaChange(wallet, address, prepared));
      }}
    />
  );
}
