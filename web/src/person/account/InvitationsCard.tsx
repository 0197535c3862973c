// Teams that ask the account to join; nothing where none does.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OwnInvitationAnswer } from '../../../../src/http/api/teamAnswers.ts';
import { dayName } from '../../app/format.ts';
import { navigate } from '../../app/router.tsx';
import { switchWorkspace } from '../../app/session/useSession.ts';
import { ROLE_WORDS } from '../../app/team/roleWords.ts';
import { answerInvitation, TEAMS_KEY, useTeams } from '../../app/team/teamsApi.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorNote } from '../../ui/notices.tsx';

export function InvitationsCard() {
  const invitations = useTeams().data?.invitations ?? [];
  if (invitations.length === 0) return null;
  return (
    <Card title="Invitations">
      <ul aria-label="Invitations" className="flex flex-col gap-4">
        {invitations.map((one) => (
          <InvitationRow key={one.id} invitation={one} />
        ))}
      </ul>
    </Card>
  );
}

function InvitationRow({ invitation }: { invitation: OwnInvitationAnswer }) {
  const client = useQueryClient();
  const { id, workspace, role, invited_by, expires_at } = invitation;
  const answer = useMutation({
    mutationFn: (action: 'accept' | 'decline') => answerInvitation(id, action),
    onSettled: () => client.invalidateQueries({ queryKey: TEAMS_KEY }),
    onSuccess: (joined, action) => {
      if (action === 'decline') return;
      switchWorkspace(client, joined.workspace);
      navigate('/overview');
    },
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <span className="flex min-w-0 flex-col">
        <span>
          <b className="font-semibold">@{workspace}</b> invites you as {ROLE_WORDS[role].name.toLowerCase()}.
        </span>
        <span className="text-sm text-muted">
          {ROLE_WORDS[role].what} Sent by {invited_by}, open until {dayName(Date.parse(expires_at))}.
        </span>
      </span>
      <span className="flex flex-wrap gap-2">
        <Button kind="filled" disabled={answer.isPending} onClick={() => answer.mutate('accept')}>
          Accept
        </Button>
        <Button disabled={answer.isPending} onClick={() => answer.mutate('decline')}>
          Decline
        </Button>
      </span>
      {answer.error && <ErrorNote>{answer.error.message}</ErrorNote>}
    </li>
  );
}
