// The secret of a new key, once.
import { TriangleAlert } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CopyField } from '../../ui/CopyField.tsx';
import type { NewKey } from './keysApi.ts';

export function SecretCard({ made: { key, secret }, onDone }: { made: NewKey; onDone: () => void }) {
  return (
    <Card arrives title={`Secret key for “${key.label}”`} className="border-amber!">
      <p role="status" className="flex gap-3 text-sm text-amber">
        <TriangleAlert aria-hidden="true" className="size-5 shrink-0" />
        Copy this key now. You won’t be able to see it again. Keep it secret: anyone who has it can create orders in
        your name.
      </p>
      <CopyField label="Secret key" value={secret} kind="filled" />
      <Button className="self-start" onClick={onDone}>
        Done
      </Button>
    </Card>
  );
}
