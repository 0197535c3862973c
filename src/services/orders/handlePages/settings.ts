// A handle page as its owner shapes it. Off until they switch it on.

import type { Ctx } from '../../../context.ts';
import type { Row } from '../../../db.ts';
import type { Branding } from '../../../domain/branding.ts';
import { AppError } from '../../../domain/errors.ts';
import { LINE_LENGTH, MOST_AMOUNTS } from '../../../domain/handlePage.ts';
import { formatUnits } from '../../../domain/money.ts';
import { picturesOf } from '../../accounts/pictures.ts';
import { record } from '../../audit.ts';
import { isLive } from '../../chains.ts';
import { lockKey } from '../../locks.ts';
import { readPlainText } from '../../plainText.ts';
import { brandingOf } from '../../workspaces/branding.ts';
import { findPayout, payeeOn } from '../../workspaces/payouts.ts';
import { readWorkspace } from '../../workspaces/workspaces.ts';
import { readAsset, readOrderAmount, requireAccount } from '../input.ts';
import { handlePageUrl } from './address.ts';

/** As the owner sees it. `problem`: why the handle can't be paid there, in a sentence. */
export type OwnHandlePage = {
  enabled: boolean;
  handle: string;
  kind: 'personal' | 'business';
  url: string;
  /** The path of a square WebP, or null without one. */
  picture: string | null;
  line: string | null;
  branding: Branding | null;
  suggested_amounts: string[];
  chain: string;
  currency: string;
  show_messages: boolean;
  show_amounts: boolean;
  chains: { chain: string; label: string; livemode: boolean; currencies: string[]; problem: string | null }[];
};

/** What changes; the rest stays. */
export type HandlePageChange = {
  enabled?: boolean | undefined;
  line?: string | null | undefined;
  suggested_amounts?: string[] | undefined;
  chain?: string | undefined;
  currency?: string | undefined;
  show_messages?: boolean | undefined;
  show_amounts?: boolean | undefined;
};

/** @throws AppError `handle_not_found` */
export async function readOwnPage(ctx: Ctx, handleId: string): Promise<OwnHandlePage> {
  const [row, workspace, pictures, branding] = await Promise.all([
    ctx.db.handlePage.findUnique({ where: { handleId } }),
    readWorkspace(ctx, handleId),
    picturesOf(ctx, handleId),
    brandingOf(ctx, handleId),
  ]);
  const chains = workspace.chains.map(({ chain, label, livemode, currencies, problem }) => {
    return { chain, label, livemode, currencies, problem };
  });
  const at = row ?? (await usualPage(ctx, handleId, chains));
  return {
    enabled: at.isOn,
    handle: workspace.handle,
    kind: workspace.kind,
    url: handlePageUrl(ctx, workspace.handle),
    picture: pictures.page,
    branding,
    line: at.line,
    suggested_amounts: at.amounts,
    chain: at.chain,
    currency: at.currency,
    show_messages: at.showMessages,
    show_amounts: at.showAmounts,
    chains,
  };
}

type Settings = Omit<Row<'HandlePage'>, 'handleId' | 'changedAt'>;

/** Before the owner chose anything: where they want to be paid, or where they can be. */
async function usualPage(ctx: Ctx, handleId: string, chains: OwnHandlePage['chains']): Promise<Settings> {
  const { preferredChain } = await ctx.db.handle.findUniqueOrThrow({ where: { id: handleId } });
  const payable = chains.filter(({ problem }) => problem === null);
  const first = payable.find(({ chain }) => chain === preferredChain) ?? payable[0] ?? chains[0];
  return {
    ...{ isOn: false, line: null, amounts: ['3.00', '5.00', '10.00'] },
    ...{ chain: first?.chain ?? preferredChain, currency: 'USDC', livemode: first?.livemode ?? false },
    ...{ showMessages: false, showAmounts: false },
  };
}

/**
 * Whatever is wrong with the network, a page can be switched off.
 * @throws AppError `parameter_invalid`, `amount_out_of_range`, `unsupported_chain`, `unsupported_asset`, `handle_not_found`, `state_conflict` for a
 * handle that can't be paid there, `provider_unavailable`
 */
export async function changeOwnPage(ctx: Ctx, handleId: string, change: HandlePageChange): Promise<OwnHandlePage> {
  const before = await readOwnPage(ctx, handleId);
  const money = {
    chain: change.chain ?? before.chain,
    currency: change.currency ?? before.currency,
    amounts: change.suggested_amounts ?? before.suggested_amounts,
  };
  const touchesMoney = [change.chain, change.currency, change.suggested_amounts].some((one) => one !== undefined);
  const isOn = change.enabled ?? before.enabled;
  const isJudged = touchesMoney || change.enabled === true;
  // What is not named is not written: two tabs that change different things keep both.
  const changed = {
    ...(change.enabled === undefined ? {} : { isOn }),
    ...(change.line === undefined ? {} : { line: readLine(change.line) }),
    ...(isJudged ? await readTerms(ctx, handleId, money, isOn) : {}),
    ...(change.show_messages === undefined ? {} : { showMessages: change.show_messages }),
    ...(change.show_amounts === undefined ? {} : { showAmounts: change.show_amounts }),
    changedAt: new Date(ctx.clock.now()),
  };
  const usual = {
    ...{
      isOn,
      line: null,
      ...money,
      livemode: before.chains.find(({ chain }) => chain === money.chain)?.livemode ?? false,
    },
    ...{ showMessages: false, showAmounts: false },
  };
  await ctx.db.$transaction(async (tx) => {
    await lockKey(tx, `handle page:${handleId}`);
    const old = await tx.handlePage.findUnique({ where: { handleId } });
    const row = await tx.handlePage.upsert({
      where: { handleId },
      create: { handleId, ...usual, ...changed },
      update: changed,
    });
    await record(ctx, tx, {
      ...{ workspaceId: handleId, action: 'handle_page.changed', object: { kind: 'handle_page', id: handleId } },
      before: old ? factsOf(old) : factsOf({ ...row, ...settingsOf(before) }),
      after: factsOf(row),
    });
  });
  return readOwnPage(ctx, handleId);
}

const factsOf = ({ isOn, line, amounts, chain, currency, showMessages, showAmounts }: Settings) => ({
  ...{ enabled: isOn, line, suggested_amounts: [...amounts], chain, currency },
  ...{ show_messages: showMessages, show_amounts: showAmounts },
});

/** What stood before the page had a row of its own. */
const settingsOf = (page: OwnHandlePage): Omit<Settings, 'livemode'> => ({
  ...{ isOn: page.enabled, line: page.line, amounts: page.suggested_amounts, chain: page.chain },
  ...{ currency: page.currency, showMessages: page.show_messages, showAmounts: page.show_amounts },
});

function readLine(text: string | null): string | null {
  const line = readPlainText(text, 'line', LINE_LENGTH);
  if (line?.includes('\n')) throw new AppError('parameter_invalid', 'line must be one line.', { param: 'line' });
  return line;
}

type Money = { chain: string; currency: string; amounts: string[] };

async function readTerms(
  ctx: Ctx,
  handleId: string,
  given: Money,
  isOn: boolean,
): Promise<Money & { livemode: boolean }> {
  const asset = readAsset(ctx, given.chain, given.currency);
  const param = 'suggested_amounts';
  if (given.amounts.length > MOST_AMOUNTS)
    throw new AppError('parameter_invalid', `${param} takes at most ${MOST_AMOUNTS} amounts.`, { param });
  const units: bigint[] = [];
  for (const amount of given.amounts) units.push(await readOrderAmount(ctx, asset, amount, param));
  const amounts = [...new Set(units)].map((one) => formatUnits(one, asset.decimals));
  if (isOn) {
    const payout = await findPayout(ctx.db, { id: handleId });
    // A page that refuses each press would be worse than none.
    await requireAccount(asset, payout.slug, payeeOn(payout, asset.chain).payee);
  }
  return { chain: asset.chain.name, currency: asset.currency, livemode: isLive(asset.chain), amounts };
}
