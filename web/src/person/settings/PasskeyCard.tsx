// The passkey that is this account's wallet: where it exists, and the way to its private key.
import { useMutation } from '@tanstack/react-query';
import { isSameAddress } from '../../../../src/domain/walletFamily.ts';
import type { OwnAccount } from '../../app/session/RequireAccount.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { ExportKey } from '../../wallet/passkey/ExportKey.tsx';
import { OneDeviceNote } from '../../wallet/passkey/OneDeviceNote.tsx';
import { WALLET_ORIGIN } from '../../wallet/passkey/places.ts';
import { usePasskey } from '../../wallet/wallets.ts';

export function PasskeyCard({ account }: { account: OwnAccount }) {
  const passkey = usePasskey();
  const own = account.wallets.evm;
  if (!passkey || !own || !isSameAddress(passkey.address, own)) return null;
  return (
    <Card title="Passkey">
      <p className="text-sm text-muted">
        The key of this wallet comes from your passkey, each time you confirm with your fingerprint, face or screen
        lock.
        {passkey.isSynced &&
          ' Your passkey is copied to your other devices: sign in there with “I already have a passkey”.'}
      </p>
      <OneDeviceNote />
      {WALLET_ORIGIN === null ? <ExportKey address={own} /> : <ExportInWindow address={own} />}
    </Card>
  );
}

/** The wallet's window asks the questions and shows the key; no key comes to this page. */
function ExportInWindow({ address }: { address: string }) {
  const task = useMutation({
    mutationFn: async () => {
      const { exportInWindow } = await import('../../wallet/passkey/window/asking.ts');
      await exportInWindow(address);
    },
  });
  return (
    <div className="flex flex-col gap-3">
      <Button className="self-start" disabled={task.isPending} onClick={() => task.mutate()}>
        {task.isPending ? 'Go on in the wallet’s window…' : 'Export the private key'}
      </Button>
      {task.isError && <ErrorNote>{task.error.message}</ErrorNote>}
    </div>
  );
}
