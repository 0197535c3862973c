// A modal of the bot, in place of the composer; its values are kept until the bot accepts them.
import { useState } from 'react';
import { Button } from '../../../../web/src/ui/Button.tsx';
import { Field } from '../../../../web/src/ui/Field.tsx';
import { ErrorNote } from '../../../../web/src/ui/notices.tsx';
import { type DiscordForm, fieldsOf } from './discordApi.ts';

export function BotForm({
  form,
  sending,
  error,
  onSend,
  onClose,
}: {
  form: DiscordForm;
  sending: boolean;
  error: string | null;
  onSend: (values: Record<string, string>) => void;
  onClose: () => void;
}) {
  const fields = fieldsOf(form);
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.map(({ custom_id, value }) => [custom_id, value ?? ''])),
  );
  return (
    <form
      aria-label={form.title}
      className="flex flex-col gap-3 border-t border-line bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(values);
      }}
    >
      <p className="font-semibold">{form.title}</p>
      {fields.map(({ custom_id, label, placeholder, required }) => (
        <Field
          key={custom_id}
          label={label}
          {...(placeholder && { placeholder })}
          required={required === true}
          value={values[custom_id] ?? ''}
          onChange={(event) => setValues({ ...values, [custom_id]: event.target.value })}
        />
      ))}
      {error && <ErrorNote>{error}</ErrorNote>}
      <div className="flex gap-3">
        <Button type="submit" kind="filled" disabled={sending}>
          Submit
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}
