// Where operators begin to follow a complaint. Enter searches; the address keeps what was searched.
import { type FormEvent, useState } from 'react';
import { navigate, usePath, useSearch } from '../app/router.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';

const MOST = 300;

export function SearchBox() {
  const path = usePath();
  const query = useSearch().get('q') ?? '';
  const searched = path === '/operations/search' ? query : '';
  const [typed, setTyped] = useState(searched);
  const [known, setKnown] = useState(searched);
  if (searched !== known) {
    setKnown(searched);
    setTyped(searched);
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const q = typed.trim();
    if (q) navigate(`/operations/search?q=${encodeURIComponent(q)}`);
  };
  return (
    <search aria-label="Complaints">
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <Field
          label="Trace a complaint"
          type="search"
          name="q"
          maxLength={MOST}
          placeholder="Handle, wallet, ID or transaction"
          className="grow basis-64"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button kind="filled" type="submit" className="min-h-12" disabled={!typed.trim()}>
          Search
        </Button>
      </form>
    </search>
  );
}
