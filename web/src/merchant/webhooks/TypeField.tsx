// One type of event out of all, by groups.
import type { EventType } from '../../../../src/domain/events.ts';
import { SelectField } from '../../ui/Field.tsx';
import { TYPE_GROUPS } from './typeWords.ts';

/**
 * @param all what stands for no choice; without it one is always chosen
 */
export function TypeField({
  label,
  value,
  onValue,
  all,
  className,
}: {
  label: string;
  value: EventType | '';
  onValue: (type: EventType | '') => void;
  all?: string;
  className?: string;
}) {
  return (
    <SelectField
      label={label}
      value={value}
      onChange={({ target }) => onValue(target.value as EventType | '')}
      {...(className && { className })}
    >
      {all && <option value="">{all}</option>}
      {TYPE_GROUPS.map(({ name, types }) => (
        <optgroup key={name} label={name}>
          {types.map((type) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  );
}
