// The way to the team and its audit log.
import { ScrollText, Users } from 'lucide-react';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';

export function TeamCard() {
  return (
    <Card title="Team">
      <p className="text-sm">Invite people by their handle, choose what each may do, and see who changed what.</p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink href="/settings/team" className="min-h-12! max-sm:w-full">
          <Users aria-hidden="true" className="size-4" />
          Manage team
        </ButtonLink>
        <ButtonLink href="/settings/audit-log" className="min-h-12! max-sm:w-full">
          <ScrollText aria-hidden="true" className="size-4" />
          Audit log
        </ButtonLink>
      </div>
    </Card>
  );
}
