// What kind of workspace it is and what that means; a person's can become a business's.

import { Check } from 'lucide-react';
import { useState } from 'react';
import { Allowed } from '../../app/team/Allowed.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Pill } from '../../ui/Pill.tsx';
import type { Workspace } from '../business/workspaceApi.ts';
import { PayoutForm } from './PayoutForm.tsx';

const PERSONAL = ['Orders and links are paid to your wallet in full.', 'No fee.', 'Buyers see a personal handle.'];
const BUSINESS = [
  'Each payment has a fee of 1%.',
  'Orders and links are paid to your wallet, or to a payout wallet you choose.',
  'Buyers see a business handle.',
];

export function KindCard({ workspace }: { workspace: Workspace }) {
  const [isOpen, setIsOpen] = useState(false);
  const isBusiness = workspace.kind === 'business';
  return (
    <Card
      title={`@${workspace.handle}`}
      aside={<Pill tone={isBusiness ? 'good' : 'quiet'}>{isBusiness ? 'Business' : 'Personal'}</Pill>}
    >
      <Meaning sentences={isBusiness ? BUSINESS : PERSONAL} />
      {!isBusiness && !isOpen && (
        <Allowed door="payout">
          {' '}
          <Button kind="filled" className="min-h-12! self-start max-sm:w-full" onClick={() => setIsOpen(true)}>
            Become a business…
          </Button>
        </Allowed>
      )}
      {!isBusiness && isOpen && (
        <div className="flex flex-col gap-4 border-t border-line pt-4">
          <p className="font-semibold">As a business</p>
          <Meaning sentences={[...BUSINESS, 'You can’t switch back.']} />
          <PayoutForm workspace={workspace} verb="Become a business" onClose={() => setIsOpen(false)} />
        </div>
      )}
    </Card>
  );
}

function Meaning({ sentences }: { sentences: string[] }) {
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {sentences.map((sentence) => (
        <li key={sentence} className="flex gap-2">
          <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent" />
          {sentence}
        </li>
      ))}
    </ul>
  );
}
