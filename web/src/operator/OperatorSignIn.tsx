// The door of the operations page: the admin secret, which is traded for a cookie and not kept.
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Title } from '../ui/Title.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';
import { useSignIn } from './operationsApi.ts';

export function OperatorSignIn() {
  const [secret, setSecret] = useState('');
  const signIn = useSignIn();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (secret) signIn.mutate(secret.trim());
  };
  return (
    <div className="mx-auto flex min-h-dvh max-w-110 flex-col gap-12 px-4 py-6">
      <header>
        <Wordmark />
      </header>
      <main>
        <form onSubmit={submit} className="flex flex-col gap-6">
          <Title>Operations</Title>
          <Field
            label="Admin secret"
            type="password"
            name="admin-secret"
            autoComplete="current-password"
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
            hint="ADMIN_SECRET of this deployment. On a local stack it’s in local.json."
            error={signIn.error?.message}
          />
          <Button kind="filled" type="submit" className="min-h-12" disabled={!secret || signIn.isPending}>
            {signIn.isPending ? 'One moment…' : 'Sign in for 12 hours'}
          </Button>
        </form>
      </main>
    </div>
  );
}
