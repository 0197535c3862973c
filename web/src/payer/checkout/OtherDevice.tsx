// Paying with a wallet on another device: what it has to scan, until it agreed.
import { useMutation } from '@tanstack/react-query';
import { Smartphone } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import type { Wallet } from '../../wallet/wallets.ts';
import { CopyButton } from './CopyButton.tsx';
import { useWords } from './language.ts';

const QrCode = lazy(async () => ({ default: (await import('../../ui/QrCode.tsx')).QrCode }));

export function OtherDevice({
  projectId,
  chainId,
  className,
  onWallet,
}: {
  projectId: string;
  chainId: number;
  className: string;
  onWallet: (wallet: Wallet) => void;
}) {
  const words = useWords();
  const [uri, setUri] = useState<string | null>(null);
  // A wallet that connects late does not replace one chosen meanwhile.
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const connect = useMutation({
    mutationFn: async () => {
      const { pair } = await import('../../wallet/walletConnect.ts');
      const pairing = await pair(projectId, chainId);
      setUri(pairing.uri);
      return pairing.wallet;
    },
    onSuccess: (wallet) => {
      if (isHere.current) onWallet(wallet);
    },
    onSettled: () => setUri(null),
  });
  const { isPending, isError, mutate } = connect;
  return (
    <>
      <Button className={className} disabled={isPending} onClick={() => mutate()}>
        <Smartphone aria-hidden="true" className="size-5" />
        {isPending ? words.waitingForWallet : words.otherDevice}
      </Button>
      {uri && (
        <div className="flex flex-col items-center gap-3 rounded-2xl border border-line bg-surface p-4 text-sm">
          <p>{words.scanToConnect}</p>
          <Suspense fallback={<Skeleton className="size-64" />}>
            <QrCode value={uri} label={words.qrConnect} className="size-64" />
          </Suspense>
          <div className="flex gap-3">
            <a className="inline-flex min-h-10 items-center text-accent underline-offset-4 hover:underline" href={uri}>
              {words.openWalletApp}
            </a>
            <CopyButton value={uri} what={words.theCode} />
          </div>
        </div>
      )}
      {isError && <ErrorNote retry={() => mutate()}>{words.noWalletConnected}</ErrorNote>}
    </>
  );
}
