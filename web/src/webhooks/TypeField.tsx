// One type of event out of all, by groups.
import type { EventType } from '../../../src/domain/events.ts';
import { SelectField } from '../ui/Field.tsx';
import { TYPE_GROUPS, type TypeGroup } from './typeWords.ts';

/**
 * @param all what stands for no choice; without it one is always chosen
 * @param groups those that there are to choose from
 */
export function TypeField({
  label,
  value,
  onValue,
  all,
  groups = TYPE_GROUPS,
  className,
}: {
  label: string;
  value: EventType | '';
  onValue: (type: EventType | '') => void;
  all?: string;
  groups?: readonly TypeGroup[];
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
      {groups.map(({ name, types, isLater }) => (
        <optgroup key={name} label={isLater ? `${name} (later)` : name}>
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
