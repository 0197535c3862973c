// "Continue with your fingerprint": for people without a wallet, who get one with it. Where it cannot be, that is said before anything is made.
import { Fingerprint } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { readSupport, type Support, supportAtOnce } from '../../wallet/passkey/support.ts';
import { usePasskey } from '../../wallet/wallets.ts';
import { loadSigner, type WhichPasskey } from './passkeySignIn.ts';

/** Null until the browser has said it. */
export function useSupport(): Support | null {
  const [support, setSupport] = useState(supportAtOnce);
  useEffect(() => {
    if (support) return;
    let isCurrent = true;
    readSupport().then((answer) => isCurrent && setSupport(answer));
    return () => {
      isCurrent = false;
    };
  }, [support]);
  return support;
}

export function PasskeySignIn({ disabled, onChoose }: { disabled: boolean; onChoose: (which: WhichPasskey) => void }) {
  const passkey = usePasskey();
  // Loaded before the press: some browsers show the prompt only right after it.
  useEffect(() => void loadSigner().catch(() => undefined), []);
  return (
    <div className="flex flex-col gap-2">
      <Button
        kind="filled"
        className="min-h-12! w-full text-base!"
        disabled={disabled}
        onClick={() => onChoose(passkey ? 'usual' : 'new')}
      >
        <Fingerprint aria-hidden="true" className="size-5" />
        Continue with your fingerprint
      </Button>
      <p className="text-sm text-muted">
        {passkey?.address
          ? 'Your passkey signs a short text that is valid for this sign-in only.'
          : 'Makes a passkey on this device, and with it a wallet that is yours alone: Ampersat never has its key. It signs a short text to sign you in. Face or screen lock work, too.'}
      </p>
      <Button kind="plain" className="self-start" disabled={disabled} onClick={() => onChoose('any')}>
        {passkey ? 'Use another passkey' : 'I already have a passkey for Ampersat'}
      </Button>
    </div>
  );
}

/** Why there is no such button here. */
export function NoPasskey({ support }: { support: Exclude<Support, 'yes'> }) {
  if (support === 'address') {
    const href = `${location.protocol}//localhost:${location.port}${location.pathname}`;
    const isHere = location.hostname.startsWith('127.');
    return (
      <p className="text-sm text-muted">
        Without a wallet? A passkey can be one, but belongs to a name, and this page is at an IP address.
        {isHere && (
          <>
            {' '}
            On this machine, the name is{' '}
            <a href={href} className="text-accent underline underline-offset-4">
              localhost
            </a>
            .
          </>
        )}
      </p>
    );
  }
  return (
    <p className="text-sm text-muted">
      {support === 'no_prf'
        ? 'This browser can’t make a wallet of a passkey: it lacks the PRF extension. Use a current Chrome, Edge, Safari or Firefox, or a wallet app.'
        : 'This browser has no passkeys, which could be a wallet. Use a current browser, or a wallet app.'}
    </p>
  );
}
