/** The people of the corpus, and the entities that each platform would send for a text about them. */
import type { CommandInput, Platform } from '../../command.ts';

export const BOT = { id: '999', username: 'ampersat_bot' };
export const ALICE = { id: '101', username: 'alice' };

/** Everybody whom a text may name, by username. */
export const IDS: Record<string, string> = {
  alice: '101',
  bob: '202',
  carol: '303',
  dave: '404',
  ampersat_bot: '999',
  robo: '808',
};

const BOTS = new Set(['999', '808']);

/** Telegram marks @names and slash commands, in UTF-16 units. */
function telegramEntities(text: string): unknown[] {
  const mentions = [...text.matchAll(/(?<![\w@/])@[a-z]\w*/gi)].map((found) => ({
    type: 'mention',
    offset: found.index,
    length: found[0].length,
  }));
  const commands = [...text.matchAll(/(?<!\S)\/\w+(?:@\w+)?/g)].map((found) => ({
    type: 'bot_command',
    offset: found.index,
    length: found[0].length,
  }));
  return [...mentions, ...commands];
}

function discordEntities(text: string): unknown {
  const ids = new Set([...text.matchAll(/<@!?(\d+)>/g)].map((found) => found[1] ?? ''));
  const known = [...ids].filter((id) => Object.values(IDS).includes(id));
  return {
    mentions: known.map((id) => ({ id, bot: BOTS.has(id) })),
    mention_roles: [...text.matchAll(/<@&(\d+)>/g)].map((found) => found[1]),
    mention_everyone: /@(?:everyone|here)\b/.test(text),
  };
}

/** X marks @names of existing accounts, in code points. */
function xEntities(text: string): unknown {
  const found = [...text.matchAll(/(?<![\w@])@(\w{1,15})/g)];
  const mentions = found.flatMap((one) => {
    const id = IDS[(one[1] ?? '').toLowerCase()];
    const start = [...text.slice(0, one.index)].length;
    return id === undefined ? [] : [{ start, end: start + one[0].length, username: one[1], id }];
  });
  return { mentions };
}

export function entitiesOf(platform: Platform, text: string): unknown {
  if (platform === 'telegram') return telegramEntities(text);
  return platform === 'discord' ? discordEntities(text) : xEntities(text);
}

export type Extra = { entities?: unknown; interaction?: unknown } & Record<string, unknown>;

/** A message of Alice's; `extra` holds entities, an interaction, or fields of the context. */
export function message(platform: Platform, chat: string, text: string, extra: Extra = {}): CommandInput {
  const { entities = entitiesOf(platform, text), interaction, ...ctx } = extra;
  const context = { chat, bot: BOT, sender: ALICE, ...ctx };
  const input = { platform, text, entities, ctx: context, ...(interaction === undefined ? {} : { interaction }) };
  return input as unknown as CommandInput;
}
