// A search field that tells what was typed once the typing pauses: the address bar is no place for half words.
import { useEffect, useEffectEvent, useState } from 'react';
import { Field } from './Field.tsx';

const PAUSE_MS = 300;
const MOST = 64;

export function SearchField({
  value,
  onValue,
  placeholder,
  className = '',
  isLabelHidden = false,
}: {
  value: string;
  onValue: (q: string) => void;
  placeholder: string;
  className?: string;
  isLabelHidden?: boolean;
}) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  const tell = useEffectEvent(onValue);
  useEffect(() => {
    if (typed === known) return;
    const timer = setTimeout(() => tell(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, known]);
  return (
    <Field
      label="Search"
      type="search"
      maxLength={MOST}
      placeholder={placeholder}
      className={className}
      isLabelHidden={isLabelHidden}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
