// What each role may do, in full: a table on wide screens, a list by role on phones.
import { Check } from 'lucide-react';
import { can, DOOR_WORDS, DOORS, type Door, ROLES } from '../../../../src/domain/team.ts';
import { ROLE_WORDS } from '../../app/team/roleWords.ts';
import { Card } from '../../ui/Card.tsx';

const ALL = Object.keys(DOORS) as Door[];
const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

export function RolesCard() {
  return (
    <Card title="Roles">
      <p className="text-sm text-muted">
        Each role includes those before it. Refunds, payouts and the allow list are signed by the payout wallet: a role
        lets a member prepare them, and only the holder of that wallet can sign.
      </p>
      <table className="w-full text-sm max-md:hidden">
        <thead>
          <tr className="text-left">
            <th scope="col" className="py-2 pr-4 font-medium text-muted">
              May
            </th>
            {ROLES.map((role) => (
              <th key={role} scope="col" className="w-24 px-2 py-2 text-center font-medium">
                {ROLE_WORDS[role].name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ALL.map((door) => (
            <tr key={door} className="border-t border-line">
              <th scope="row" className="py-2 pr-4 text-left font-normal">
                {sentence(DOOR_WORDS[door])}
              </th>
              {ROLES.map((role) => (
                <td key={role} className="px-2 py-2 text-center">
                  {can(role, door) ? (
                    <>
                      <Check aria-hidden="true" className="mx-auto size-4 text-accent" />
                      <span className="sr-only">Yes</span>
                    </>
                  ) : (
                    <span className="sr-only">No</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="flex flex-col gap-4 text-sm md:hidden">
        {ROLES.map((role, index) => (
          <div key={role}>
            <dt className="font-semibold">
              {ROLE_WORDS[role].name}
              {index > 0 && <span className="font-normal text-muted"> may also</span>}
            </dt>
            <dd>
              <ul className="list-disc pl-5">
                {ALL.filter((door) => DOORS[door] === role).map((door) => (
                  <li key={door}>{sentence(DOOR_WORDS[door])}</li>
                ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
