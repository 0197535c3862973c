// A button that asks for a confirmation before an irreversible action; the question replaces the button.
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/Button.tsx';

export function ConfirmButton({
  children,
  label,
  question,
  yes,
  busy,
  onYes,
}: {
  children: ReactNode;
  /** What the button does, for those who hear it without what stands around it. */
  label?: string;
  question: string;
  yes: string;
  busy: boolean;
  onYes: () => void;
}) {
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking)
    return (
      <Button aria-label={label} onClick={() => setIsAsking(true)}>
        {children}
      </Button>
    );
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span role="status" className="text-sm">
        {question}
      </span>
      <Button kind="danger" disabled={busy} onClick={onYes}>
        {busy ? 'One moment…' : yes}
      </Button>
      <Button disabled={busy} onClick={() => setIsAsking(false)}>
        No
      </Button>
    </span>
  );
}
