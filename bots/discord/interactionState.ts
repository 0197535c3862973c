// What handling interactions needs and keeps.
import { type REST, Routes } from 'discord.js';
import type { Ctx } from '../../src/context.ts';
import type { NewInteraction } from '../../src/services/chat/interactions.ts';
import type { Me } from './message.ts';
import type { Intake } from './store.ts';

/** A pressed button. `answered`: the interaction whose answer has the button, which lives on with the press's younger token. */
export type Press = { answered: string | undefined; userId: string; token: string; at: number };

export type InteractionState = {
  readonly ctx: Ctx;
  readonly rest: REST;
  readonly me: Me;
  readonly intake: Intake;
  readonly onStored: () => void;
  readonly isOver: () => boolean;
  /** Presses that are not acknowledged yet, by interaction. */
  readonly presses: Map<string, Press>;
  readonly acknowledging: Set<string>;
};

export type Acknowledged = Pick<NewInteraction, 'id' | 'token' | 'isPrivate'>;

const RESPONSE_TIMEOUT_MS = 2_000;

/** The one response that each interaction has, within three seconds. */
export async function respond(
  { rest }: InteractionState,
  { id, token }: { id: string; token: string },
  body: object,
): Promise<void> {
  await rest.post(Routes.interactionCallback(id, token), {
    body,
    auth: false,
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
}
