// "Continue with your fingerprint": for people without a wallet, who get one with it. Where it cannot be, that is said before anything is made.
import { Fingerprint } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { loadSigner } from '../../wallet/passkey/passkeyWallet.ts';
import { readSupport, type Support, supportAtOnce } from '../../wallet/passkey/support.ts';
import type { WhichPasskey } from '../../wallet/passkey/window/protocol.ts';
import { KNOWN_PASSKEY, NEW_PASSKEY } from '../../wallet/passkey/words.ts';
import { usePasskey } from '../../wallet/wallets.ts';
import { shortHex } from '../format.ts';

/** `yes` until the browser has said otherwise: a press is not kept waiting for it, and what it makes says whether it can. */
export function useSupport(): Support {
  const [support, setSupport] = useState(supportAtOnce);
  useEffect(() => {
    if (support) return;
    let isCurrent = true;
    readSupport().then((answer) => isCurrent && setSupport(answer));
    return () => {
      isCurrent = false;
    };
  }, [support]);
  return support ?? 'yes';
}

type Choose = { disabled: boolean; onChoose: (which: WhichPasskey) => void };

export function PasskeySignIn({ disabled, onChoose }: Choose) {
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
      <p className="text-sm text-muted">{passkey ? KNOWN_PASSKEY : NEW_PASSKEY}</p>
      {passkey ? (
        <OtherPasskey address={passkey.address} disabled={disabled} onChoose={onChoose} />
      ) : (
        <Button kind="plain" className="self-start" disabled={disabled} onClick={() => onChoose('any')}>
          I already have a passkey for Ampersat
        </Button>
      )}
    </div>
  );
}

/** A user who takes another one by mistake looks for their money in it. */
function OtherPasskey({ address, disabled, onChoose }: Choose & { address: string }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen)
    return (
      <Button kind="plain" className="self-start" disabled={disabled} onClick={() => setIsOpen(true)}>
        Use another passkey
      </Button>
    );
  return (
    <div role="status" className="flex flex-col gap-3 rounded-lg bg-amber-soft p-4 text-sm text-amber">
      <p>
        Another passkey is another account, with another handle and other money. The passkey that this browser knows
        keeps what is in its wallet <span className="font-mono">{shortHex(address)}</span>; nothing of it moves.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button disabled={disabled} onClick={() => onChoose('any')}>
          Choose one that I have
        </Button>
        <Button disabled={disabled} onClick={() => onChoose('new')}>
          Make a new one
        </Button>
        <Button disabled={disabled} onClick={() => setIsOpen(false)}>
          Cancel
        </Button>
      </div>
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
