// The keys with which a merchant's own programs call the API: created, rolled, revoked; each secret is shown once.

import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Allowed } from '../../app/team/Allowed.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyNote, ErrorNote, Skeleton } from '../../ui/notices.tsx';
import { BusinessShell } from '../business/BusinessShell.tsx';
import { CurlExample } from './CurlExample.tsx';
import { KeyForm } from './KeyForm.tsx';
import { KeyRow } from './KeyRow.tsx';
import { KEYS_KEY, type NewKey, useKeys } from './keysApi.ts';
import { SecretCard } from './SecretCard.tsx';

export function KeysPage() {
  return <BusinessShell title="API keys">{() => <Keys />}</BusinessShell>;
}

function Keys() {
  const client = useQueryClient();
  const { data, error, refetch } = useKeys();
  const [isOpen, setIsOpen] = useState(false);
  const [made, setMade] = useState<NewKey | null>(null);
  const note = (next: NewKey) => {
    setMade(next);
    setIsOpen(false);
    void client.invalidateQueries({ queryKey: KEYS_KEY });
  };
  const working = data?.filter(({ status }) => status === 'active' || status === 'rolled') ?? [];
  const ended = data?.filter(({ status }) => status === 'expired' || status === 'revoked') ?? [];
  return (
    <>
      {made && <SecretCard made={made} onDone={() => setMade(null)} />}
      {isOpen && <KeyForm onMade={note} onCancel={() => setIsOpen(false)} />}
      <Card
        title="Active keys"
        aside={
          !isOpen &&
          !made && (
            <Allowed door="keys">
              <Button kind="filled" onClick={() => setIsOpen(true)}>
                <Plus aria-hidden="true" className="size-4" />
                New key
              </Button>
            </Allowed>
          )
        }
      >
        {error && (
          <ErrorNote retry={() => void refetch()}>
            {error.message}
            {data && ' This may be out of date.'}
          </ErrorNote>
        )}
        {!data && !error && <Skeleton className="h-32" />}
        {data && working.length === 0 && (
          <EmptyNote title="No keys yet">Create a key to use the API from your own server.</EmptyNote>
        )}
        <ul aria-label="Active keys" className="flex flex-col empty:hidden">
          {working.map((key) => (
            <KeyRow key={key.id} apiKey={key} onRolled={note} />
          ))}
        </ul>
      </Card>
      {/* Below what is as long as there are keys: shown before, it would be pushed down. */}
      {data && <CurlExample apiKey={working[0] ?? null} />}
      {ended.length > 0 && (
        <details className="rounded-2xl border border-line bg-surface p-4 sm:px-6">
          <summary className="min-h-8 font-semibold">Revoked keys ({ended.length})</summary>
          <ul aria-label="Revoked keys" className="flex flex-col pt-2">
            {ended.map((key) => (
              <KeyRow key={key.id} apiKey={key} onRolled={note} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
