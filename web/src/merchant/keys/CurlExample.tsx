// How a key is used, to be copied into a terminal; the secret itself is no longer known here.
import { useState } from 'react';
import { drawIdempotencyKey } from '../../app/idempotencyKey.ts';
import { Card } from '../../ui/Card.tsx';
import { CopyButton } from '../../ui/CopyField.tsx';
import { chainsOf, useMode, useWorkspace } from '../business/workspaceApi.ts';
import type { ApiKey } from './keysApi.ts';

export function CurlExample({ apiKey }: { apiKey: ApiKey | null }) {
  const workspace = useWorkspace().data;
  const [idempotencyKey] = useState(drawIdempotencyKey);
  const looked = useMode();
  const mode = apiKey?.mode ?? looked ?? 'test';
  const chains = workspace ? chainsOf(workspace, mode).map(({ chain }) => chain) : [];
  const chain = chains.find((one) => one === 'base-sepolia') ?? chains[0] ?? 'base';
  const command = [
    `curl ${location.origin}/v1/orders \\`,
    `  -H "Authorization: Bearer $AMPERSAT_API_KEY" \\`,
    `  -H "Idempotency-Key: ${idempotencyKey}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"amount": "25", "currency": "USDC", "chain": "${chain}"}'`,
  ].join('\n');
  return (
    <Card title="Try it" aside={<CopyButton value={command} what="the example" />}>
      <pre className="overflow-x-auto rounded-lg bg-sunken p-4 font-mono text-sm quiet-scroll">
        <code>{command}</code>
      </pre>
      <p className="text-sm text-muted">
        Set <code className="font-mono">AMPERSAT_API_KEY</code> to your key
        {apiKey && ` (it ends in ${apiKey.last4})`} first. Creates an order and returns its checkout URL. See the{' '}
        <a href="/docs" className="text-accent underline underline-offset-4">
          API reference
        </a>
        .
      </p>
    </Card>
  );
}
