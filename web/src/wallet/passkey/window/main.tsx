// The wallet's window, at the origin that `WALLET_ORIGIN` names: shows what a page asks for, signs it with the passkey, and closes. The key is here alone.
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { isSameAddress } from '../../../../../src/domain/walletFamily.ts';
import { Button } from '../../../ui/Button.tsx';
import '../../../app/theme.css';
import { WalletError } from '../../requests.ts';
import { ExportKey } from '../ExportKey.tsx';
import { PAGES_ORIGIN } from '../places.ts';
import { rememberedPasskey } from '../remembered.ts';
import { inSheet } from '../sheet.tsx';
import { openPasskey, signAllTypedData, signSignIn } from '../signer.ts';
import type { Site } from '../signInText.ts';
import { KNOWN_PASSKEY, NEW_PASSKEY } from '../words.ts';
import { answering, type Opener } from './answering.ts';
import type { Opened, WalletRequest, WhichPasskey } from './protocol.ts';

const QUIET_MS = 15_000;

type Shown = { words: string; exported?: { address: string; close: () => void } };

function App({ opener, pages }: { opener: Opener; pages: Site }) {
  const [shown, setShown] = useState<Shown>({ words: 'One moment…' });
  useEffect(() => {
    const quiet = setTimeout(() => setShown({ words: 'There is no request. You can close this window.' }), QUIET_MS);
    const run = async (request: WalletRequest) => {
      clearTimeout(quiet);
      setShown({ words: `${pages.host} asks your passkey.` });
      if (request.kind !== 'export') return signed(request, pages);
      return new Promise<null>((resolve) =>
        setShown({
          words: 'The key is shown in this window only.',
          exported: { address: request.address, close: () => resolve(null) },
        }),
      );
    };
    const receive = answering(opener, pages.origin, run);
    const onMessage = (event: MessageEvent) =>
      void receive(event).then((isAnswered) => {
        if (!isAnswered) return;
        setShown({ words: 'Done. You can close this window.' });
        close();
      });
    addEventListener('message', onMessage);
    return () => {
      clearTimeout(quiet);
      removeEventListener('message', onMessage);
    };
  }, [opener, pages]);
  const { words, exported } = shown;
  return (
    <Frame words={words}>
      {exported && (
        <>
          <ExportKey address={exported.address} />
          <Button kind="plain" className="self-start" onClick={exported.close}>
            Close
          </Button>
        </>
      )}
    </Frame>
  );
}

function Frame({ words, children }: { words: string; children?: React.ReactNode }) {
  return (
    <main className="mx-auto flex max-w-110 flex-col gap-4 p-6">
      <h1 className="text-lg font-semibold">Your Ampersat wallet</h1>
      <p role="status" className="text-sm text-muted">
        {words}
      </p>
      {children}
    </main>
  );
}

/** @throws WalletError, also for what cannot be explained: nothing of it is shown, and nothing signed */
function signed(request: Exclude<WalletRequest, { kind: 'export' }>, pages: Site): Promise<unknown> {
  switch (request.kind) {
    case 'sign':
      return signAllTypedData(request.address, request.all);
    case 'sign_in':
      return signSignIn(request.address, request.text, pages);
    case 'open':
      return signedIn(request, pages);
  }
}

function signedIn(
  { how: asked, address, start }: Extract<WalletRequest, { kind: 'open' }>,
  pages: Site,
): Promise<Opened> {
  const how = known(asked, address);
  const text = how === 'new' ? NEW_PASSKEY : KNOWN_PASSKEY;
  return inSheet(
    {
      title: `Sign in at ${pages.host}?`,
      items: [{ title: how === 'new' ? 'A new passkey' : 'Your passkey', text, facts: [] }],
      button: 'Continue with your fingerprint',
    },
    async () => {
      const opened = await openPasskey(how, Promise.resolve(start), pages);
      const passkey = rememberedPasskey();
      if (!passkey)
        throw new WalletError('failed', 'This browser keeps nothing for the wallet’s window: allow it to store data.');
      return { ...opened, passkey };
    },
  );
}

/** What the page remembers may be forgotten here, or be another one: then the person chooses. And the page may have forgotten what is remembered here. */
function known(how: WhichPasskey, address: string | null): WhichPasskey {
  const own = rememberedPasskey()?.address;
  const isKnown = address !== null && own !== undefined && isSameAddress(own, address);
  if (how === 'usual' && !isKnown) return 'any';
  return how === 'new' && address === null && own !== undefined ? 'usual' : how;
}

// The page that opens this window chooses its size, and what is signed has to be readable.
if (innerWidth < 320 || innerHeight < 400) resizeTo(460, 720);

const root = createRoot(document.getElementById('root') as HTMLElement);
const opener = window.opener as Opener | null;
if (opener && PAGES_ORIGIN) root.render(<App opener={opener} pages={new URL(PAGES_ORIGIN)} />);
else root.render(<Frame words="This window signs for the pages of Ampersat, and they open it. There is no request." />);
