// What a role may do; to anyone else, in its place, who may and who can change that.
import type { ReactNode } from 'react';
import { type Door, refusalWords } from '../../../../src/domain/team.ts';
import { useCan, useRole } from './teamsApi.ts';

/** @param quiet shows nothing instead: the same page says it already */
export function Allowed({ door, quiet = false, children }: { door: Door; quiet?: boolean; children: ReactNode }) {
  const role = useRole();
  const mayDo = useCan(door);
  if (mayDo) return children;
  if (quiet || role === null) return null;
  return <p className="text-sm text-muted">{refusalWords(door)}</p>;
}
