// A command as operators read it: as it was parsed, never the text of the chat.
import type { Row } from '../../db.ts';
import type { ChatButton, ChatMessage } from '../../domain/chat.ts';
import type { Command } from '../../domain/command.ts';
import { formatUnits } from '../../domain/money.ts';
import { scrub } from '../../domain/scrub.ts';

/** Figures and names of our own that a refusal carries. What leads to a page is left out. */
const SHOWN = ['label', 'asset', 'chain', 'where', 'have', 'need', 'limit', 'cap', 'total', 'left', 'least', 'reason'];

/** `tip 5 USDC to @bob on base`, `split 10 USDC to 3 people`, `error amount_invalid`. Notes and what a person typed stay out. */
export function commandWords(command: Command): string {
  if (command.kind === 'confirm') return `asks (${command.because}): ${commandWords(command.intent)}`;
  if (command.kind === 'error') return `error ${command.code}`;
  const { kind, amount, total, unit, recipients = [], chain } = command;
  const names = recipients.slice(0, 5).map(({ by, value }) => (by === 'handle' ? `@${value}` : `${by} ${value}`));
  const more = recipients.length > names.length ? ` and ${recipients.length - names.length} more` : '';
  return [
    kind,
    amount ?? total,
    unit,
    names.length > 0 ? `to ${names.join(', ')}${more}` : undefined,
    chain && `on ${chain}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** `balance_low: have 1.00, need 5.10`; null when nothing was refused. */
export function refusalWords(refusal: unknown): string | null {
  if (typeof refusal !== 'object' || refusal === null || !('code' in refusal)) return null;
  const facts = refusal as Record<string, unknown>;
  const figures = SHOWN.flatMap((name) => (typeof facts[name] === 'string' ? [`${name} ${facts[name]}`] : []));
  return scrub([String(facts['code']), figures.join(', ')].filter(Boolean).join(': '));
}

/** `@alice`, or the platform's id of an account without a username. */
export function senderWords({ username, id }: ChatMessage['sender']): string {
  return username ? `@${username}` : `ID ${id}`;
}

export function presserWords({ username, userId }: ChatButton): string {
  return senderWords({ username, id: userId });
}

type Line = { platform: string | null; who: string | null; what: string; status: string };

export function orderLine(row: Row<'Order'>, slugs: ReadonlyMap<string, string>): Line {
  return {
    platform: (row.chat as { platform?: string } | null)?.platform ?? null,
    who: slugs.get(row.handleId) ?? null,
    what: `order ${formatUnits(BigInt(row.units.toFixed(0)), row.decimals)} ${row.currency} on ${row.chain}`,
    status: row.status,
  };
}

export function escrowLine(row: Row<'Escrow'>, slugs: ReadonlyMap<string, string>): Line {
  return {
    platform: null,
    who: slugs.get(row.senderHandleId ?? '') ?? null,
    what: `tab ${formatUnits(BigInt(row.units.toFixed(0)), row.decimals)} ${row.asset} for ${row.recipientLabel} on ${row.chain}`,
    status: row.status,
  };
}
