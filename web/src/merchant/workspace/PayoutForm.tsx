// Naming the address that a business is paid at: the handle's wallet signs it, and the address too where it is another one.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readAddress } from '../../../../src/domain/command/addresses.ts';
import { isSameAddress } from '../../../../src/domain/walletFamily.ts';
import { shortHex } from '../../app/format.ts';
import { takeAnswer } from '../../app/takeAnswer.ts';
import { Button } from '../../ui/Button.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { signTyped } from '../../wallet/requests.ts';
import { WalletButtons } from '../../wallet/WalletButtons.tsx';
import { rememberWallet, useWallets, usualWallet, type Wallet } from '../../wallet/wallets.ts';
import {
  type PreparedBusiness,
  prepareBusiness,
  submitBusiness,
  WORKSPACE_KEY,
  type Workspace,
} from '../business/workspaceApi.ts';

type Half = { prepared: PreparedBusiness; payoutSignature: string };

export function PayoutForm({ workspace, verb, onClose }: { workspace: Workspace; verb: string; onClose: () => void }) {
  const client = useQueryClient();
  const wallets = useWallets();
  const [chosen, setChosen] = useState<Wallet | null>(null);
  const [kind, setKind] = useState<'own' | 'other'>(workspace.business_address ? 'other' : 'own');
  const [typed, setTyped] = useState('');
  const [half, setHalf] = useState<Half | null>(null);
  const app = chosen ?? (wallets && usualWallet(wallets));
  const own = workspace.wallet ?? '';
  const read = kind === 'own' ? own : readAddress(typed.trim());
  const address = typeof read === 'string' ? read : null;
  const needsOther = address !== null && !isSameAddress(address, own);
  const isSame =
    workspace.kind === 'business' &&
    address !== null &&
    workspace.payout_address !== null &&
    isSameAddress(address, workspace.payout_address);

  const prove = useMutation({
    mutationFn: async ({ provider }: Wallet) => {
      if (address === null) throw new Error(WHY_NOT);
      const prepared = await prepareBusiness(address);
      setHalf({ prepared, payoutSignature: await signTyped(provider, address, prepared.typed_data) });
    },
  });
  const finish = useMutation({
    mutationFn: async ({ provider }: Wallet) => {
      if (address === null) throw new Error(WHY_NOT);
      const prepared = half?.prepared ?? (await prepareBusiness(address));
      const signature = await signTyped(provider, own, prepared.typed_data);
      return submitBusiness(prepared, { signature, ...(half && { payout_signature: half.payoutSignature }) });
    },
    onSuccess: (answer) => {
      takeAnswer(client, WORKSPACE_KEY, answer);
      onClose();
    },
    // The signature may have expired or been superseded: the flow starts over.
    onError: () => setHalf(null),
  });
  const isBusy = prove.isPending || finish.isPending;
  const failed = prove.error ?? finish.error;
  const isFirst = needsOther && half === null;

  if (wallets && !app)
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
    <div className="flex flex-col gap-4">
      <Choice
        label="Payments go to"
        value={kind}
        onValue={(next) => {
          setKind(next);
          setHalf(null);
        }}
        choices={[
          ['own', `My wallet ${shortHex(own)}`],
          ['other', 'Another wallet'],
        ]}
      />
      {kind === 'other' && (
        <Field
          label="Payout address"
          name="payout_address"
          placeholder="0x…"
          maxLength={42}
          disabled={half !== null || isBusy}
          value={typed}
          error={
            typed.trim() === ''
              ? null
              : address === null
                ? WHY_NOT
                : isSame
                  ? 'This is already the payout wallet.'
                  : null
          }
          hint="It signs too, to prove that you control it."
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <p className="text-sm">
        {half
          ? `${shortHex(address ?? '')} has signed. Now switch your wallet to ${shortHex(own)} and sign.`
          : 'Your wallet signs the new payout address. Signing is free, and the signature is valid for a few minutes and this change only.'}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          kind="filled"
          className="min-h-12! max-sm:w-full"
          disabled={address === null || isSame || isBusy || !app}
          onClick={() => app && (isFirst ? prove : finish).mutate(app)}
        >
          {isBusy ? 'Waiting for your wallet…' : isFirst ? `Sign with ${shortHex(address ?? '')}` : verb}
        </Button>
        <Button kind="plain" disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
      </div>
      {failed && <ErrorNote>{failed.message}</ErrorNote>}
    </div>
  );
}

const WHY_NOT = 'Invalid address. Copy it from your wallet again.';
