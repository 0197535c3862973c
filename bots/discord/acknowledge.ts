// Acknowledges what is stored, within Discord's three seconds: only then is it worked on.
import { setTimeout as sleep } from 'node:timers/promises';
import { InteractionResponseType, MessageFlags } from 'discord.js';
import { dropHeldEntry, releaseEntry } from '../../src/services/chat/inbox.ts';
import { noteAcknowledged, renewToken } from '../../src/services/chat/interactions.ts';
import { isAlreadyAcknowledged, isTokenOver, waitOf, wordsOf } from './calls.ts';
import { type Acknowledged, type InteractionState, type Press, respond } from './interactionState.ts';

const RETRY_MS = 300;
/** By then Discord has long answered that it is over, if it can be reached at all. */
const MOST_TRIES = 40;

/**
 * Acknowledges an interaction and lets its entry be worked on. One at a time for an interaction: of two, one can see that the token is over after
 * the other has seen that all is well.
 */
export async function acknowledge(state: InteractionState, interaction: Acknowledged, key: string): Promise<void> {
  const { acknowledging } = state;
  if (acknowledging.has(interaction.id)) return;
  acknowledging.add(interaction.id);
  await acknowledgeOnce(state, interaction, key).finally(() => acknowledging.delete(interaction.id));
}

async function acknowledgeOnce(state: InteractionState, interaction: Acknowledged, key: string): Promise<void> {
  const { ctx, presses } = state;
  const { id } = interaction;
  const press = presses.get(id);
  const isTaken = await defer(state, interaction, press !== undefined);
  presses.delete(id);
  if (isTaken) await noteAcknowledged(ctx, id);
  if (press) return isTaken ? renewAnswer(state, press) : undefined;
  // A user who saw it fail types it again: then the first one must not pay as well.
  if (isTaken === false) await dropHeldEntry(ctx, key, 'unanswered');
  if (!isTaken) return;
  await releaseEntry(ctx, key);
  state.onStored();
}

async function renewAnswer({ ctx }: InteractionState, { answered, ...press }: Press): Promise<void> {
  if (answered) await renewToken(ctx, answered, press);
}

/** @returns whether Discord took it; null when that cannot be known, because Discord is away */
async function defer(state: InteractionState, interaction: Acknowledged, isPress: boolean): Promise<boolean | null> {
  const body = deferral(interaction, isPress);
  for (let tries = 0; tries < MOST_TRIES && !state.isOver(); tries++) {
    try {
      await respond(state, interaction, body);
      return true;
    } catch (error) {
      if (isAlreadyAcknowledged(error)) return true;
      if (isTokenOver(error)) return false;
      const reason = wordsOf(error);
      state.ctx.log.warn({ interaction: interaction.id, reason }, 'an interaction could not be answered yet');
      await sleep(waitOf(error) ?? RETRY_MS);
    }
  }
  return null;
}

/** Commands and forms show that the bot thinks; a pressed button only stops its spinner. */
function deferral({ isPrivate }: Acknowledged, isPress: boolean): object {
  if (isPress) return { type: InteractionResponseType.DeferredMessageUpdate };
  const data = isPrivate ? { data: { flags: MessageFlags.Ephemeral } } : {};
  return { type: InteractionResponseType.DeferredChannelMessageWithSource, ...data };
}
