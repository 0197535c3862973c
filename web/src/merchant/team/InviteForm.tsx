// Invites a name: a handle here, or a username of a platform.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { INVITATION_DAYS, type InvitePlatform, ROLES, type Role } from '../../../../src/domain/team.ts';
import { ROLE_WORDS } from '../../app/team/roleWords.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, SelectField } from '../../ui/Field.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { sendInvitation, TEAM_KEY } from './teamApi.ts';

const PLATFORMS: readonly (readonly [InvitePlatform, string])[] = [
  ['ampersat', 'Ampersat handle'],
  ['telegram', 'Telegram username'],
  ['discord', 'Discord username'],
  ['x', 'X username'],
];

export function InviteForm() {
  const client = useQueryClient();
  const [platform, setPlatform] = useState<InvitePlatform>('ampersat');
  const [typed, setTyped] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const name = typed.trim().replace(/^@/, '');
  const sending = useMutation({
    mutationFn: () => sendInvitation({ platform, name, role }),
    onSuccess: async () => {
      setTyped('');
      await client.invalidateQueries({ queryKey: TEAM_KEY });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name && !sending.isPending) sending.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <SelectField
          label="Known as"
          value={platform}
          onChange={({ target }) => setPlatform(target.value as InvitePlatform)}
        >
          {PLATFORMS.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </SelectField>
        <Field
          label="Name"
          name="name"
          before="@"
          maxLength={40}
          autoCapitalize="none"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <SelectField label="Role" value={role} onChange={({ target }) => setRole(target.value as Role)}>
          {ROLES.map((one) => (
            <option key={one} value={one}>
              {ROLE_WORDS[one].name}
            </option>
          ))}
        </SelectField>
      </div>
      <p className="text-sm text-muted">
        {ROLE_WORDS[role].what} They see the invitation on their home page for {INVITATION_DAYS} days
        {platform === 'ampersat' ? '.' : ', once they have connected this username.'} Check the name letter by letter:
        the person who has it can accept.
      </p>
      <Button
        type="submit"
        kind="filled"
        className="min-h-12! self-start max-sm:w-full"
        disabled={!name || sending.isPending}
      >
        {sending.isPending ? 'Inviting…' : 'Invite'}
      </Button>
      <p role="status" className="text-sm text-muted empty:hidden">
        {sending.isSuccess && typed === '' && 'Invited.'}
      </p>
      {sending.error && <ErrorNote>{sending.error.message}</ErrorNote>}
    </form>
  );
}
