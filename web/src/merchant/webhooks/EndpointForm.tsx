// An endpoint's properties, for a new one and for one that changes: where it is, which events it takes, what it is for.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { URL_LENGTH } from '../../../../src/domain/webhookEndpoint.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { Field } from '../../ui/Field.tsx';
import { ErrorNote } from '../../ui/notices.tsx';
import { type Mode, useMode, useWorkspace } from '../business/workspaceApi.ts';
import { urlProblem } from './endpointWords.ts';
import type { Endpoint, EndpointWish, WithSecret } from './shapes.ts';
import { TypeChoice } from './TypeChoice.tsx';
import { changeEndpoint, createEndpoint } from './webhooksApi.ts';

const MODES = [
  ['test', 'Test: no real money'],
  ['live', 'Live: real money'],
] as const;
const MOST_WORDS = 280;

export function NewEndpoint({ onMade, onCancel }: { onMade: (made: WithSecret) => void; onCancel: () => void }) {
  const modes = useWorkspace().data?.modes ?? [];
  const looked = useMode();
  const [chosen, setChosen] = useState<Mode | null>(null);
  const mode = chosen ?? looked ?? modes[0] ?? 'test';
  return (
    <EndpointForm
      title="New endpoint"
      livemode={mode === 'live'}
      save={(wish) => createEndpoint({ ...wish, mode })}
      onSaved={onMade}
      onCancel={onCancel}
      words={{ save: 'Save endpoint', saving: 'Saving…' }}
    >
      {modes.length > 1 ? (
        <Choice label="Mode" value={mode} onValue={setChosen} choices={MODES} />
      ) : (
        <p className="text-sm text-muted">
          {mode === 'test' ? 'Receives events of test mode.' : 'Receives events of live mode.'}
        </p>
      )}
    </EndpointForm>
  );
}

export function EditEndpoint({
  endpoint,
  onSaved,
  onCancel,
}: {
  endpoint: Endpoint;
  onSaved: (endpoint: Endpoint) => void;
  onCancel: () => void;
}) {
  return (
    <EndpointForm
      title="Edit endpoint"
      livemode={endpoint.livemode}
      start={endpoint}
      save={(wish) => changeEndpoint(endpoint.id, changesOf(endpoint, wish))}
      onSaved={(answer) => onSaved(answer.endpoint)}
      onCancel={onCancel}
      words={{ save: 'Save', saving: 'Saving…' }}
    />
  );
}

/** Only what was changed is sent: a URL that stays is not looked up once more. */
function changesOf(endpoint: Endpoint, wish: EndpointWish): Partial<EndpointWish> {
  const { url, description, enabled_events: chosen } = wish;
  return {
    ...(url === endpoint.url ? {} : { url }),
    ...(description === endpoint.description ? {} : { description }),
    ...(chosen === endpoint.enabled_events ? {} : { enabled_events: chosen }),
  };
}

function EndpointForm<Answer>({
  title,
  livemode,
  start = { url: '', enabled_events: ['*'], description: null },
  save,
  onSaved,
  onCancel,
  words,
  children,
}: {
  title: string;
  livemode: boolean;
  start?: EndpointWish;
  save: (wish: EndpointWish) => Promise<Answer>;
  onSaved: (answer: Answer) => void;
  onCancel: () => void;
  words: { save: string; saving: string };
  children?: React.ReactNode;
}) {
  const [url, setUrl] = useState(start.url);
  const [description, setDescription] = useState(start.description ?? '');
  const [chosen, setChosen] = useState(start.enabled_events);
  const problem = urlProblem(url, livemode);
  const isReady = url.trim() !== '' && !problem && chosen.length > 0;
  const saving = useMutation({
    mutationFn: () => save({ url: url.trim(), description: description.trim() || null, enabled_events: chosen }),
    onSuccess: onSaved,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !saving.isPending) saving.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Card arrives title={title}>
        <Field
          label="Endpoint URL"
          name="url"
          type="url"
          inputMode="url"
          maxLength={URL_LENGTH}
          placeholder="https://shop.example/webhooks"
          hint="A public URL of your server that responds with any 2xx status within ten seconds."
          error={problem}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Field
          label="Description (optional)"
          name="description"
          maxLength={MOST_WORDS}
          placeholder="The web shop"
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        {children}
        <TypeChoice chosen={chosen} onChosen={setChosen} />
        {saving.isError && <ErrorNote>{saving.error.message}</ErrorNote>}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            type="submit"
            kind="filled"
            className="min-h-12! max-sm:w-full"
            disabled={!isReady || saving.isPending}
          >
            {saving.isPending ? words.saving : words.save}
          </Button>
          <Button kind="plain" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </Card>
    </form>
  );
}
