// The sheet before each prompt of the passkey: in words what is signed by it. Nothing is signed that was not read here first.
import { Fingerprint } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { WalletError } from '../requests.ts';
import type { Explained } from './explain/reading.ts';

/**
 * Shows what is to be signed, and runs `act` at the press: browsers ask for a passkey only right after one.
 * @throws WalletError `refused` when it is closed without one
 */
export function inSheet<T>({ title, items, button = 'Sign' }: Words, act: () => Promise<T>): Promise<T> {
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  return new Promise<T>((resolve, reject) => {
    const close = () => {
      root.unmount();
      place.remove();
    };
    root.render(
      <Sheet
        title={title}
        items={items}
        button={button}
        onPress={async () => {
          const answer = await act();
          close();
          resolve(answer);
        }}
        onCancel={() => {
          close();
          reject(new WalletError('refused', 'You closed the request. Nothing was signed.'));
        }}
      />,
    );
  });
}

export type Words = { title: string; items: readonly Explained[]; button?: string };

function Sheet({
  title,
  items,
  button,
  onPress,
  onCancel,
}: Words & { onPress: () => Promise<void>; onCancel: () => void }) {
  const sheet = useRef<HTMLDialogElement>(null);
  const [state, setState] = useState<{ isPending: boolean; error: string | null }>({ isPending: false, error: null });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    sheet.current?.showModal();
    // The browser would scroll to the first button and focus it, past the words.
    heading.current?.focus();
  }, []);
  const press = async () => {
    setState({ isPending: true, error: null });
    try {
      await onPress();
    } catch (error) {
      setState({ isPending: false, error: (error as Error).message });
    }
  };
  return (
    <dialog
      ref={sheet}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        if (!state.isPending) onCancel();
      }}
      className="mx-auto mt-auto mb-0 max-h-dvh w-full max-w-110 overflow-y-auto rounded-t-2xl bg-surface p-0 text-ink backdrop:bg-[rgb(0_0_0/0.5)] sm:mb-auto sm:rounded-2xl"
    >
      <div className="flex flex-col gap-4 p-4 pb-[max(1rem,env(safe-area-inset-bottom))] sm:p-6">
        <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
          {title}
        </h2>
        <ol className="flex flex-col gap-4">
          {items.map((item) => (
            <li key={item.title} className="flex flex-col gap-1 border-t border-line pt-4">
              <h3 className="font-semibold">{item.title}</h3>
              <p className="text-sm">{item.text}</p>
              {item.warning && (
                <p role="note" className="rounded-lg bg-amber-soft px-3 py-2 text-sm text-amber">
                  {item.warning}
                </p>
              )}
              {item.facts.length > 0 && (
                <dl className="flex flex-col gap-1 text-sm">
                  {item.facts.map(({ name, value }) => (
                    <div key={name} className="flex flex-wrap justify-between gap-x-4">
                      <dt className="text-muted">{name}</dt>
                      <dd className={`min-w-0 break-all ${value.startsWith('0x') ? 'font-mono' : ''}`}>{value}</dd>
                    </div>
                  ))}
                </dl>
              )}
            </li>
          ))}
        </ol>
        {state.error && <ErrorNote>{state.error}</ErrorNote>}
        <div className="flex flex-col gap-2">
          <Button
            kind="filled"
            className="min-h-12! text-base!"
            disabled={state.isPending}
            onClick={() => void press()}
          >
            <Fingerprint aria-hidden="true" className="size-5" />
            {state.isPending ? 'Waiting for your passkey…' : button}
          </Button>
          <Button kind="plain" disabled={state.isPending} onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </div>
    </dialog>
  );
}
