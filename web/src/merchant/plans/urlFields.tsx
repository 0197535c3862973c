// The addresses of a plan: its picture, and where subscribers go on afterwards.
import { parsedUrl } from '../../../../src/domain/parsedUrl.ts';
import { Field } from '../../ui/Field.tsx';

const MOST = 2_000;

type Props = { value: string; onValue: (next: string) => void };

export function PictureField({ value, onValue }: Props) {
  return (
    <Field
      label="Picture (optional)"
      name="image"
      type="url"
      maxLength={MOST}
      placeholder="https://shop.example/picture.png"
      value={value}
      error={urlProblem(value)}
      onChange={({ target }) => onValue(target.value.trim())}
    />
  );
}

export function ReturnField({ value, onValue }: Props) {
  return (
    <Field
      label="Return address (optional)"
      name="back"
      type="url"
      maxLength={MOST}
      placeholder="https://shop.example/welcome"
      hint="Subscribers find a button to it afterwards."
      value={value}
      error={urlProblem(value)}
      onChange={({ target }) => onValue(target.value.trim())}
    />
  );
}

export function urlProblem(text: string): string | null {
  return text === '' || (/^https:\/\//.test(text) && parsedUrl(text)) ? null : 'Must begin with https://.';
}
