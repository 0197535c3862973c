// The team of a workspace: who belongs to it and as what, who is invited, which secrets to roll, and what each role may do.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ROLES, type Role } from '../../../../src/domain/team.ts';
import type { KnownSecretAnswer, MemberAnswer, TeamAnswer } from '../../../../src/http/api/teamAnswers.ts';
import { dayName, exactTime } from '../../app/format.ts';
import { Allowed } from '../../app/team/Allowed.tsx';
import { ROLE_WORDS } from '../../app/team/roleWords.ts';
import { leaveTeam, TEAMS_KEY, useCan } from '../../app/team/teamsApi.ts';
import { ConfirmButton } from '../../person/settings/ConfirmButton.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { InviteForm } from './InviteForm.tsx';
import { RolesCard } from './RolesCard.tsx';
import { changeRole, removeMember, TEAM_KEY, useTeam, withdrawInvitation } from './teamApi.ts';

export function TeamPage() {
  return (
    <BusinessShell title="Team" aside={<ButtonLink href="/settings/audit-log">Audit log</ButtonLink>}>
      {(account) => <Team own={account.own} />}
    </BusinessShell>
  );
}

function Team({ own }: { own: string }) {
  const { data, error, refetch } = useTeam();
  if (!data)
    return error ? (
      <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>
    ) : (
      <output aria-label="Loading the team" className="flex flex-col gap-6">
        <Skeleton className="h-48" />
        <Skeleton className="h-64" />
      </output>
    );
  return (
    <>
      {error && <ErrorNote retry={() => void refetch()}>{error.message} This may be out of date.</ErrorNote>}
      {data.known_secrets.length > 0 && <KnownSecrets secrets={data.known_secrets} />}
      <Members team={data} own={own} />
      <Card title="Invite">
        <Allowed door="members">
          <InviteForm />
        </Allowed>
        {data.invitations.length > 0 && <Invitations team={data} />}
      </Card>
      <RolesCard />
    </>
  );
}

/** Takes what a change of the team answers. */
function useTeamChange<Given>(change: (given: Given) => Promise<TeamAnswer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (team) => client.setQueryData(TEAM_KEY, team),
    onError: () => client.invalidateQueries({ queryKey: TEAM_KEY }),
  });
}

function Members({ team, own }: { team: TeamAnswer; own: string }) {
  return (
    <Card title="Members">
      <ul aria-label="Members" className="flex flex-col">
        {team.members.map((member) => (
          <MemberRow key={member.id} member={member} isSelf={member.handle === own} workspace={team.workspace} />
        ))}
      </ul>
    </Card>
  );
}

const ROW =
  'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line py-3 first:border-t-0 first:pt-0 last:pb-0';

function MemberRow({ member, isSelf, workspace }: { member: MemberAnswer; isSelf: boolean; workspace: string }) {
  const mayChange = useCan('members') && !member.is_own;
  const role = useTeamChange((next: Role) => changeRole(member.id, next));
  const removal = useTeamChange(() => removeMember(member.id));
  const failed = role.error ?? removal.error;
  return (
    <li className={ROW}>
      <span className="flex min-w-0 items-center gap-3">
        <Avatar name={member.handle} />
        <span className="flex min-w-0 flex-col">
          <b className="truncate font-semibold">
            @{member.handle}
            {isSelf && ' (you)'}
          </b>
          <span className="text-sm text-muted">
            {member.is_own ? (
              'The workspace’s own account'
            ) : (
              <>
                Since <TimeAgo at={member.since} />
              </>
            )}
          </span>
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-2">
        {mayChange && !isSelf ? (
          <>
            <select
              aria-label={`Role of @${member.handle}`}
              value={role.isPending ? role.variables : member.role}
              disabled={role.isPending || removal.isPending}
              onChange={({ target }) => role.mutate(target.value as Role)}
              className="min-h-10 rounded-lg border border-edge bg-surface px-3 text-sm"
            >
              {ROLES.map((one) => (
                <option key={one} value={one}>
                  {ROLE_WORDS[one].name}
                </option>
              ))}
            </select>
            <ConfirmButton
              label={`Remove @${member.handle}`}
              question={`Remove @${member.handle}? They lose access at once.`}
              yes="Remove"
              busy={removal.isPending}
              onYes={() => removal.mutate(undefined)}
            >
              Remove…
            </ConfirmButton>
          </>
        ) : (
          <Pill tone={member.role === 'owner' ? 'good' : 'quiet'}>{ROLE_WORDS[member.role].name}</Pill>
        )}
        {isSelf && !member.is_own && <Leave workspace={workspace} />}
      </span>
      {failed && <ErrorNote>{failed.message}</ErrorNote>}
    </li>
  );
}

function Leave({ workspace }: { workspace: string }) {
  const client = useQueryClient();
  const leaving = useMutation({
    mutationFn: () => leaveTeam(workspace),
    // The switch sees that the place is gone, and goes to the account's own.
    onSuccess: (teams) => client.setQueryData(TEAMS_KEY, teams),
  });
  return (
    <>
      <ConfirmButton
        question={`Leave @${workspace}? Only an owner can invite you again.`}
        yes="Leave"
        busy={leaving.isPending}
        onYes={() => leaving.mutate()}
      >
        Leave…
      </ConfirmButton>
      {leaving.error && <ErrorNote>{leaving.error.message}</ErrorNote>}
    </>
  );
}

const PLATFORM_WORDS = { ampersat: '', telegram: ' on Telegram', discord: ' on Discord', x: ' on X' };

function Invitations({ team }: { team: TeamAnswer }) {
  const mayChange = useCan('members');
  const withdrawal = useTeamChange(withdrawInvitation);
  return (
    <>
      <ul aria-label="Open invitations" className="flex flex-col border-t border-line pt-4">
        {team.invitations.map(({ id, platform, name, role, invited_by, expires_at }) => (
          <li key={id} className={ROW}>
            <span className="flex min-w-0 flex-col">
              <b className="truncate font-semibold">
                {platform === 'ampersat' ? name : `${name}${PLATFORM_WORDS[platform]}`}
              </b>
              <span className="text-sm text-muted">
                {ROLE_WORDS[role].name}, invited by {invited_by}, until {dayName(Date.parse(expires_at))}
              </span>
            </span>
            {mayChange && (
              <ConfirmButton
                label={`Withdraw the invitation of ${name}`}
                question="Withdraw this invitation?"
                yes="Withdraw"
                busy={withdrawal.isPending}
                onYes={() => withdrawal.mutate(id)}
              >
                Withdraw…
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
      {withdrawal.error && <ErrorNote>{withdrawal.error.message}</ErrorNote>}
    </>
  );
}

/** Secrets stay good when a member leaves: a former member can still use them. */
function KnownSecrets({ secrets }: { secrets: KnownSecretAnswer[] }) {
  return (
    <Card title="Secrets to roll">
      <p className="text-sm">
        These secrets were shown to people who may no longer have them. They keep working until you roll them.
      </p>
      <ul aria-label="Secrets to roll" className="flex flex-col">
        {secrets.map(({ object, id, name, livemode, known_by, until }) => (
          <li key={`${id} ${until}`} className={ROW}>
            <span className="flex min-w-0 flex-col">
              <b className="truncate font-semibold">{name}</b>
              <span className="text-sm text-muted">
                {object === 'api_key' ? 'API key' : 'Webhook secret'} in {livemode ? 'live' : 'test'} mode, shown to{' '}
                {known_by}
                {until && <>, until {exactTime(Date.parse(until))}</>}
              </span>
            </span>
            <ButtonLink href={object === 'api_key' ? '/keys' : `/webhooks/${id}`}>Roll…</ButtonLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}
