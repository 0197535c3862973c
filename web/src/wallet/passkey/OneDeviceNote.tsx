// A passkey that its device never copies: with the device the wallet is gone.
import { usePasskey } from '../wallets.ts';

export function OneDeviceNote() {
  const passkey = usePasskey();
  if (!passkey || passkey.isSynced) return null;
  return (
    <p role="status" className="rounded-lg bg-amber-soft px-4 py-3 text-sm text-amber">
      This passkey exists on this device only. If you lose the device, you lose the wallet and its money. Keep its
      private key in a safe place: Settings, Passkey, Export.
    </p>
  );
}
