// The signing secret of an endpoint that was just created or rolled, once, and how a receiver verifies with it.
import { TriangleAlert } from 'lucide-react';
import { exactTime } from '../../app/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CopyField } from '../../ui/CopyField.tsx';
import { shortUrl } from './endpointWords.ts';
import type { WithSecret } from './shapes.ts';

export function SecretCard({
  made: { endpoint, secret },
  isRolled = false,
  onDone,
}: {
  made: WithSecret;
  /** It replaces another one. */
  isRolled?: boolean;
  onDone: () => void;
}) {
  const until = endpoint.former_secret_until;
  return (
    <Card
      arrives
      title={<span className="break-all">Signing secret for {shortUrl(endpoint.url)}</span>}
      className="border-amber!"
    >
      <p role="status" className="flex gap-3 text-sm text-amber">
        <TriangleAlert aria-hidden="true" className="size-5 shrink-0" />
        Copy this secret now. You won’t be able to see it again. Keep it secret: anyone who has it can forge events.
      </p>
      <CopyField label="Signing secret" value={secret} kind="filled" />
      {isRolled && (
        <p className="text-sm">
          {until
            ? `Until ${exactTime(Date.parse(until))}, events are also signed with the previous secret.`
            : 'The previous secret is no longer valid.'}
        </p>
      )}
      <p className="text-sm text-muted">
        To verify a request, read <code className="font-mono">t</code> and <code className="font-mono">v1</code> from
        its <code className="font-mono">Service-Signature</code> header: one <code className="font-mono">v1</code> is
        the HMAC-SHA256 of <code className="font-mono">t.body</code>, in hex, with this secret as the key. Reject
        requests older than five minutes. Standard Webhooks libraries work too.
      </p>
      <Button className="self-start" onClick={onDone}>
        Done
      </Button>
    </Card>
  );
}
