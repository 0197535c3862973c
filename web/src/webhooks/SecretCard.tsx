// The signing secret of an endpoint that was just made or rolled, once, and how a receiver checks with it.
import { TriangleAlert } from 'lucide-react';
import { exactTime } from '../format.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { shortUrl } from './endpointWords.ts';
import type { WithSecret } from './shapes.ts';

export function SecretCard({
  made: { endpoint, secret },
  isRolled = false,
  onDone,
}: {
  made: WithSecret;
  /** It takes the place of another one. */
  isRolled?: boolean;
  onDone: () => void;
}) {
  const until = endpoint.former_secret_until;
  return (
    <Card
      arrives
      title={<span className="break-all">The signing secret of {shortUrl(endpoint.url)}</span>}
      className="border-amber!"
    >
      <p role="status" className="flex gap-3 text-sm text-amber">
        <TriangleAlert aria-hidden="true" className="size-5 shrink-0" />
        It is shown this once. Put it where your server finds it, and nowhere that others read: whoever has it can send
        you events in our name.
      </p>
      <CopyField label="Signing secret" value={secret} kind="filled" />
      {isRolled && (
        <p className="text-sm">
          {until
            ? `Until ${exactTime(Date.parse(until))} we sign with the former secret as well, so that nothing stops while you change it.`
            : 'The former secret does not work any more.'}
        </p>
      )}
      <p className="text-sm text-muted">
        To know that a call is ours, take <code className="font-mono">t</code> and <code className="font-mono">v1</code>{' '}
        from its header <code className="font-mono">Service-Signature</code>: one <code className="font-mono">v1</code>{' '}
        is the HMAC-SHA256 of <code className="font-mono">t.body</code>, in hex, with this secret as the key. Turn away
        what is older than five minutes. The libraries of Standard Webhooks check it too.
      </p>
      <Button className="self-start" onClick={onDone}>
        I have kept it
      </Button>
    </Card>
  );
}
