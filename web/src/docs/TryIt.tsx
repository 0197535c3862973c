// Sends a call of the reference to this very service, with a test key that the page forgets when it is left, and shows what came back.
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Field, SelectField } from '../ui/Field.tsx';
import { ErrorNote } from '../ui/notices.tsx';
import { Code } from './Example.tsx';
import { callOf } from './endpointCall.ts';
import type { Endpoint, OpenApi } from './openApi.ts';
import { refusalOfKey, useTestKey } from './testKey.ts';
import { type Answer, inputsOf, requestOf, send } from './tryCall.ts';

type Props = { document: OpenApi; endpoint: Endpoint };

export function TryIt(props: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const { operationId, method, path, summary } = props.endpoint;
  if (callOf(props.document, props.endpoint).isStream) return null;
  return (
    <details
      className="rounded-2xl border border-line bg-surface px-4 py-3 text-sm"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="font-semibold" aria-label={`Try it: ${summary}`}>
        Try it
      </summary>
      {isOpen && <Form key={`${operationId}${method}${path}`} {...props} />}
    </details>
  );
}

function Form({ document, endpoint }: Props) {
  const [key, setKey] = useTestKey();
  const inputs = inputsOf(document, endpoint);
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(inputs.map(({ name, start }) => [name, start])),
  );
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const refusal = refusalOfKey(key);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(null);
    const request = requestOf(endpoint, inputs, values);
    if ('problem' in request) return setProblem(request.problem);
    setIsSending(true);
    try {
      setAnswer(await send(request, key.trim()));
    } catch {
      setProblem('Can’t reach Ampersat. Check your connection and try again.');
    } finally {
      setIsSending(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4 pt-4">
      <Field
        label="Test key"
        placeholder="sk_test_…"
        value={key}
        onChange={(event) => setKey(event.target.value)}
        error={refusal}
        hint="Sent to this server only, and forgotten when you leave the page."
        data-1p-ignore=""
        data-lpignore="true"
      />
      {inputs.map((input) => {
        const { name, label, choices, isRequired } = input;
        const value = values[name] ?? '';
        const change = (text: string) => setValues((before) => ({ ...before, [name]: text }));
        if (choices)
          return (
            <SelectField key={name} label={label} value={value} onChange={(event) => change(event.target.value)}>
              <option value="">–</option>
              {choices.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </SelectField>
          );
        return (
          <Field
            key={name}
            label={label}
            value={value}
            required={isRequired}
            onChange={(event) => change(event.target.value)}
            className="font-mono"
          />
        );
      })}
      <Button
        kind="filled"
        type="submit"
        disabled={key.trim() === '' || refusal !== null || isSending}
        className="self-start"
      >
        {isSending ? 'Sending…' : 'Send request'}
      </Button>
      {problem && <ErrorNote>{problem}</ErrorNote>}
      {answer && <Shown {...answer} />}
    </form>
  );
}

function Shown({ status, headers, text }: Answer) {
  return (
    <section aria-label="Response" className="flex min-w-0 flex-col gap-3" role="status">
      <p className={`font-mono font-semibold ${status < 400 ? 'text-accent' : 'text-brick'}`}>{status}</p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 font-mono">
        {headers.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {text !== '' && <Code title="Response body" text={text} />}
    </section>
  );
}
