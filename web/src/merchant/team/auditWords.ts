// The audit log in words.
import type { AuditAction, AuditKind } from '../../../../src/domain/audit.ts';
import type { AuditAnswer } from '../../../../src/http/api/teamAnswers.ts';

export const KIND_WORDS: Record<AuditKind, string> = {
  api_key: 'API keys',
  webhook_endpoint: 'Webhooks',
  payment_link: 'Payment links',
  plan: 'Plans',
  campaign: 'Campaigns',
  branding: 'Branding',
  handle_page: 'Handle page',
  payout: 'Payout wallet',
  recipient: 'Allow list',
  order: 'Orders',
  event: 'Events',
  member: 'Members',
  invitation: 'Invitations',
};

/** “api_key.created” is “API key created”. */
export function actionWords(action: AuditAction): string {
  const [kind = '', done = ''] = action.split('.');
  const words = `${kind} ${done}`.replaceAll('_', ' ').replace('api key', 'API key');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** “role: viewer → developer”; what has no before is only named. */
export function factWords({ before, after, target }: Pick<AuditAnswer, 'before' | 'after' | 'target'>): string {
  const names = Object.keys({ ...before, ...after }).filter((name) => !isEmpty(after?.[name] ?? before?.[name]));
  const texts = names.map((name) => {
    const [was, is] = [before?.[name], after?.[name]];
    const label = name.replaceAll('_', ' ');
    if (before && after && was !== undefined && is !== undefined && shown(was) !== shown(is))
      return `${label}: ${shown(was)} → ${shown(is)}`;
    return `${label}: ${shown(is ?? was ?? null)}`;
  });
  return texts.length > 0 ? texts.join(', ') : target.id;
}

type Fact = NonNullable<AuditAnswer['after']>[string];

const isEmpty = (fact: Fact | undefined) =>
  fact === undefined || fact === '' || (Array.isArray(fact) && fact.length === 0);

function shown(fact: Fact): string {
  if (fact === null || fact === '') return 'none';
  return Array.isArray(fact) ? fact.join(' ') : String(fact);
}
