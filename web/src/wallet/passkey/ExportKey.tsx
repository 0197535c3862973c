// The private key of a passkey, for those who want to take it elsewhere, after two questions. It is written into one node of the page and taken out again; it is
// never in a state, a cache or a storage.
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';

const SHOWN_MS = 60_000;

const loadShowKey = () => import('./signer.ts');

type Stage = 'closed' | 'first' | 'second' | 'waiting' | 'shown';

export function ExportKey({ address }: { address: string }) {
  const [stage, setStage] = useState<Stage>('closed');
  const [error, setError] = useState<string | null>(null);
  const node = useRef<HTMLElement>(null);
  const hide = () => {
    if (node.current) node.current.textContent = '';
    setStage('closed');
  };
  // Before it can be seen: an effect would come after the paint, and a window left in between would keep it in sight.
  useLayoutEffect(() => {
    if (stage !== 'shown') return;
    const place = node.current;
    const end = () => {
      if (place) place.textContent = '';
      setStage('closed');
    };
    const timer = setTimeout(end, SHOWN_MS);
    addEventListener('blur', end);
    addEventListener('pagehide', end);
    document.addEventListener('visibilitychange', end);
    return () => {
      clearTimeout(timer);
      removeEventListener('blur', end);
      removeEventListener('pagehide', end);
      document.removeEventListener('visibilitychange', end);
      if (place) place.textContent = '';
    };
  }, [stage]);
  // Loaded before the press: some browsers show the prompt only right after it.
  useEffect(() => {
    if (stage === 'second') void loadShowKey().catch(() => undefined);
  }, [stage]);
  const show = async () => {
    setError(null);
    setStage('waiting');
    try {
      const { showKey } = await loadShowKey();
      const place = node.current;
      if (!place) return;
      await showKey(address, place);
      // Left meanwhile.
      if (place.isConnected && document.visibilityState === 'visible') return setStage('shown');
      place.textContent = '';
      setStage('closed');
    } catch (caught) {
      setError((caught as Error).message);
      setStage('second');
    }
  };
  return (
    <div className="flex flex-col gap-3">
      {stage === 'closed' && (
        <Button className="self-start" onClick={() => setStage('first')}>
          Export the private key
        </Button>
      )}
      {stage === 'first' && (
        <Question
          text="The private key opens this wallet in any wallet app, without your fingerprint and without Ampersat. You can keep it as a backup, or move to another wallet."
          yes="Continue"
          onYes={() => setStage('second')}
          onNo={hide}
        />
      )}
      {(stage === 'second' || stage === 'waiting') && (
        <Question
          text="Anyone who sees it can take all of the money, on every network, and no one can undo that. Ampersat never asks for it. Look around you: it is shown for a minute, and hidden when you leave this page."
          yes={stage === 'waiting' ? 'Waiting for your passkey…' : 'Show the private key'}
          isDangerous
          disabled={stage === 'waiting'}
          onYes={() => void show()}
          onNo={hide}
        />
      )}
      {error && <ErrorNote>{error}</ErrorNote>}
      <code
        ref={node}
        title="Private key"
        hidden={stage !== 'shown'}
        className="block rounded-lg bg-sunken p-4 font-mono text-sm break-all select-all"
      />
      {stage === 'shown' && (
        <div className="flex flex-wrap gap-4">
          <Button onClick={() => void navigator.clipboard.writeText(node.current?.textContent ?? '')}>Copy</Button>
          <Button kind="filled" onClick={hide}>
            Hide it
          </Button>
        </div>
      )}
    </div>
  );
}

function Question({
  text,
  yes,
  isDangerous = false,
  disabled = false,
  onYes,
  onNo,
}: {
  text: string;
  yes: string;
  isDangerous?: boolean;
  disabled?: boolean;
  onYes: () => void;
  onNo: () => void;
}) {
  return (
    <div role="status" className="flex flex-col gap-3 rounded-lg bg-amber-soft p-4 text-sm text-amber">
      <p>{text}</p>
      <div className="flex flex-wrap gap-2">
        <Button kind={isDangerous ? 'danger' : 'outlined'} disabled={disabled} onClick={onYes}>
          {yes}
        </Button>
        <Button disabled={disabled} onClick={onNo}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
