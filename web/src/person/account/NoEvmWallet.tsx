// What stands in the place of balances and forms where no network is served for the handle’s Solana wallet.
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyNote } from '../../ui/notices.tsx';

export function NoEvmWallet() {
  return (
    <EmptyNote title="No EVM wallet yet">
      <p className="mb-4">Add one to be paid and to tip on Base and other EVM networks.</p>
      <ButtonLink href="/settings">Add an EVM wallet</ButtonLink>
    </EmptyNote>
  );
}
