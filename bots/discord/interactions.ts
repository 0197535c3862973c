// Interactions: commands, pressed buttons and forms. Each is stored first, then acknowledged, then worked on.
import type { REST } from 'discord.js';
import type { Ctx } from '../../src/context.ts';
import { dropHeldEntry, releaseEntry } from '../../src/services/chat/inbox.ts';
import { findInteraction, heldCommands } from '../../src/services/chat/interactions.ts';
import { acknowledge } from './acknowledge.ts';
import { isForm, isMessageMenu, openForm, takeForm } from './forms.ts';
import type { Acknowledged, InteractionState } from './interactionState.ts';
import type { DiscordInteraction, Me } from './message.ts';
import { isConnectPress, isTokenPress, takeConnect, takePress } from './presses.ts';
import { isCommand, isSettings, showSettings, takeCommand } from './slashCommands.ts';
import type { Intake } from './store.ts';

export type Interactions = {
  handle(interaction: DiscordInteraction): Promise<void>;
  /** Acknowledges what is stored, and lets it be worked on. */
  acknowledge(interaction: Acknowledged, key: string): Promise<void>;
  /** The same for what a killed process left between the two. */
  recover(): Promise<void>;
};

export function createInteractions(
  ctx: Ctx,
  rest: REST,
  me: Me,
  intake: Intake,
  { onStored, isOver }: { onStored(): void; isOver(): boolean },
): Interactions {
  const state: InteractionState = {
    ...{ ctx, rest, me, intake, onStored, isOver },
    ...{ presses: new Map(), acknowledging: new Set() },
  };
  return {
    handle: (interaction) => handle(state, interaction),
    acknowledge: (interaction, key) => acknowledge(state, interaction, key),
    recover: () => recover(state),
  };
}

/** @returns null for an interaction that is not its own */
type Route = (state: InteractionState, interaction: DiscordInteraction) => Promise<void> | null;

function on<Kind extends DiscordInteraction>(
  matches: (interaction: DiscordInteraction) => interaction is Kind,
  handler: (state: InteractionState, interaction: Kind) => Promise<void> | void,
): Route {
  return (state, interaction) => (matches(interaction) ? Promise.resolve(handler(state, interaction)) : null);
}

/** The first that matches handles an interaction; the others are ignored. */
const ROUTES = [
  on(isMessageMenu, openForm),
  on(isSettings, showSettings),
  on(isCommand, takeCommand),
  on(isConnectPress, takeConnect),
  on(isTokenPress, takePress),
  on(isForm, takeForm),
];

async function handle(state: InteractionState, interaction: DiscordInteraction): Promise<void> {
  for (const route of ROUTES) {
    const handled = route(state, interaction);
    if (handled) return handled;
  }
}

async function recover(state: InteractionState): Promise<void> {
  const { ctx, me } = state;
  for (const key of await heldCommands(ctx)) {
    const left = await findInteraction(ctx, key.split(':').at(-1) ?? '');
    if (left?.botId !== me.id) continue;
    if (left.token !== null) await acknowledge(state, { ...left, token: left.token }, key);
    // By now it is too late to pay. Whether its user saw it acknowledged is not known, so they get an answer.
    else if (left.expiresAt.getTime() <= ctx.clock.now()) await releaseEntry(ctx, key);
    else await dropHeldEntry(ctx, key, 'unanswered');
  }
}
