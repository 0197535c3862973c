// Which senders are strangers to their recipients: no settled payment of 1 USD or more went between them before, either way.
import { type Db, sqlList, type Tx } from '../../db.ts';
import { STRANGER_BELOW } from '../../domain/received.ts';

/** Those of the legs whose sender is a stranger to the recipient. */
export async function legsOfStrangers(db: Db | Tx, tipIds: string[]): Promise<Set<string>> {
  if (tipIds.length === 0) return new Set();
  const rows = await db.$queryRaw<{ id: string }[]>`
    select t.id from tip t
    left join connection c on c.platform = split_part(t.tab_slug, ':', 1) and c.platform_user_id = split_part(t.tab_slug, ':', 3)
      and c.disconnected_at is null
    where t.id in (${sqlList(tipIds)})
      and not exists (
        select 1 from tip k where k.sender_handle_id = t.sender_handle_id and k.id <> t.id and k.status = 'settled'
          and k.usd_micros >= ${STRANGER_BELOW}
          and (k.tab_slug = t.tab_slug or k.recipient_handle_id = coalesce(t.recipient_handle_id, c.handle_id)))
      and not exists (
        select 1 from tip k where k.sender_handle_id = coalesce(t.recipient_handle_id, c.handle_id)
          and k.recipient_handle_id = t.sender_handle_id and k.status = 'settled' and k.usd_micros >= ${STRANGER_BELOW})`;
  return new Set(rows.map((row) => row.id));
}
