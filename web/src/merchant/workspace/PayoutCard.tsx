// Where a business is paid, and how that is changed.

import { useState } from 'react';
import { Allowed } from '../../app/team/Allowed.tsx';
import { useCan } from '../../app/team/teamsApi.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Hex } from '../../ui/Hex.tsx';
import type { Workspace } from '../business/workspaceApi.ts';
import { PayoutForm } from './PayoutForm.tsx';

export function PayoutCard({ workspace }: { workspace: Workspace }) {
  const [isOpen, setIsOpen] = useState(false);
  const mayChange = useCan('payout');
  const { payout_address: address, payout_chains: chains, business_address: other } = workspace;
  return (
    <Card title="Payout wallet">
      {address && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div className="flex flex-col">
            <Hex value={address} what="the address that is paid" />
            <span className="text-sm text-muted">
              {other ? 'Payout wallet of the business' : 'Your wallet'}
              {chains &&
                (chains.length > 0
                  ? `, a smart wallet that can be paid only on ${chains.join(', ')}`
                  : ', a smart wallet that can be paid on no network yet')}
            </span>
          </div>
          {!isOpen && (
            <Allowed quiet door="payout">
              <Button onClick={() => setIsOpen(true)}>Change…</Button>
            </Allowed>
          )}
        </div>
      )}
      {isOpen && <PayoutForm workspace={workspace} verb="Change the payout wallet" onClose={() => setIsOpen(false)} />}
      {!mayChange && <Allowed door="payout">{null}</Allowed>}
      <p className="text-sm text-muted">Existing orders keep their payout address.</p>
    </Card>
  );
}
