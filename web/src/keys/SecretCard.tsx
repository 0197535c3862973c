// The secret of a key that was just made, once.
import { TriangleAlert } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import type { NewKey } from './keysApi.ts';

export function SecretCard({ made: { key, secret }, onDone }: { made: NewKey; onDone: () => void }) {
  return (
    <Card arrives title={`The secret of “${key.label}”`} className="border-amber!">
      <p role="status" className="flex gap-3 text-sm text-amber">
        <TriangleAlert aria-hidden="true" className="size-5 shrink-0" />
        It is shown this once and kept by us only as a hash. Put it where your program finds it, and nowhere that others
        read: whoever has it makes orders in your name.
      </p>
      <CopyField label="Secret key" value={secret} kind="filled" />
      <Button className="self-start" onClick={onDone}>
        I have kept it
      </Button>
    </Card>
  );
}
