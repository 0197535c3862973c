// What the admins of a server allow in it: tipping at all, in which channels, and how much a command.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import type { ChatMessage } from '../../domain/chat.ts';
import type { MicroUsd } from '../../domain/money.ts';

export type ServerRules = { tipping: boolean; channels: string[]; commandCap: MicroUsd | null };

const NO_RULES: ServerRules = { tipping: true, channels: [], commandCap: null };
/** As many as a menu of a platform shows. */
export const MOST_CHANNELS = 25;

export async function serverRules(ctx: Ctx, platform: string, serverId: string): Promise<ServerRules> {
  const row = await ctx.db.serverSettings.findUnique({ where: { platform_serverId: { platform, serverId } } });
  return row ? rulesOf(row) : NO_RULES;
}

function rulesOf({ tipping, channels, commandCapMicros }: Row<'ServerSettings'>): ServerRules {
  return { tipping, channels, commandCap: commandCapMicros };
}

/** What an admin changes: what is left out stays as it is. */
export type RulesChange = {
  tipping?: boolean;
  addChannel?: string;
  removeChannel?: string;
  allChannels?: boolean;
  /** Null takes the cap away. */
  commandCap?: MicroUsd | null;
};

/**
 * Changes the rules of a server, in force for every command that is accepted after it. Whether its user may do that is known to the platform and
 * checked by its adapter. @param by the admin's platform user id
 */
export async function changeServerRules(
  ctx: Ctx,
  server: { platform: string; serverId: string; by: string },
  change: RulesChange,
): Promise<ServerRules> {
  const { platform, serverId, by } = server;
  const key = `server:${platform}:${serverId}`;
  return ctx.db.$transaction(async (tx) => {
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
    const where = { platform_serverId: { platform, serverId } };
    const row = await tx.serverSettings.findUnique({ where });
    const before = row ? rulesOf(row) : NO_RULES;
    const after = applyChange(before, change);
    const data = {
      tipping: after.tipping,
      channels: after.channels,
      commandCapMicros: after.commandCap,
      changedBy: by,
      changedAt: new Date(ctx.clock.now()),
    };
    await tx.serverSettings.upsert({ where, create: { platform, serverId, ...data }, update: data });
    return after;
  });
}

function applyChange(before: ServerRules, change: RulesChange): ServerRules {
  const kept = change.allChannels ? [] : before.channels.filter((id) => id !== change.removeChannel);
  const channels = new Set(change.addChannel === undefined ? kept : [...kept, change.addChannel]);
  return {
    tipping: change.tipping ?? before.tipping,
    channels: [...channels].slice(0, MOST_CHANNELS),
    commandCap: change.commandCap === undefined ? before.commandCap : change.commandCap,
  };
}

/** Why a server's rules refuse a command that moves money. */
export type ServerRefusal = { code: 'server_off' } | { code: 'server_channel'; channels: string[] };

export type ServerVerdict = { refusal: ServerRefusal | null; commandCap: MicroUsd | null };

/** What the rules of their servers say to these messages, read once for all: an answer for each message. */
export async function serverVerdicts(
  ctx: Ctx,
  messages: ChatMessage[],
): Promise<(message: ChatMessage) => ServerVerdict> {
  const wanted = messages.flatMap(({ platform, server }) => (server ? [{ platform, serverId: server.id }] : []));
  const rows = wanted.length === 0 ? [] : await ctx.db.serverSettings.findMany({ where: { OR: wanted } });
  const known = new Map(rows.map((row) => [`${row.platform} ${row.serverId}`, rulesOf(row)]));
  return ({ platform, server }) => {
    const rules = server ? known.get(`${platform} ${server.id}`) : undefined;
    if (!server || !rules) return { refusal: null, commandCap: null };
    const inChannel = rules.channels.length === 0 || server.channelIds.some((id) => rules.channels.includes(id));
    if (!rules.tipping) return { refusal: { code: 'server_off' }, commandCap: null };
    if (!inChannel) return { refusal: { code: 'server_channel', channels: rules.channels }, commandCap: null };
    return { refusal: null, commandCap: rules.commandCap };
  };
}
