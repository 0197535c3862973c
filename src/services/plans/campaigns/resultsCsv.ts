// The grants of a campaign as a file, in pieces that are read as they are taken. It can be imported again.
import type { Ctx } from '../../../context.ts';
import { csvLine } from '../../../domain/csv.ts';
import type { WorkspaceReader } from '../../workspaces/workspaces.ts';
import { ownCampaign } from './campaigns.ts';
import { listGrants } from './grants.ts';

const PAGE = 500;
const COLUMNS = 'recipient,amount,key,note,status,failure,handle,address,transaction,created,paid,id';

/** @throws AppError `resource_missing`, before the first line */
export async function grantsCsv(ctx: Ctx, reader: WorkspaceReader, id: string): Promise<AsyncGenerator<string>> {
  await ownCampaign(ctx.db, reader, id);
  return lines(ctx, reader, id);
}

async function* lines(ctx: Ctx, reader: WorkspaceReader, id: string): AsyncGenerator<string> {
  yield csvLine(COLUMNS.split(','));
  let cursor: string | undefined;
  for (;;) {
    const { data, nextCursor } = await listGrants(ctx, reader, id, { limit: PAGE, cursor });
    yield data
      .map((grant) =>
        csvLine([
          grant.recipient,
          grant.amount,
          grant.key,
          grant.note ?? '',
          grant.waiting_for_account ? 'waiting for an account' : grant.status,
          grant.failure?.message ?? '',
          grant.recipientHandle ?? '',
          grant.address ?? '',
          grant.txHash ?? '',
          grant.created_at,
          grant.paid_at ?? '',
          grant.id,
        ]),
      )
      .join('');
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}
