/** Everything a rule may look at beside the tokens: who speaks, who is answered, what the platform said about the text. */
import type { Entities } from './entities.ts';
import type { Message } from './input.ts';

export type Scene = { message: Message; entities: Entities };

export type Identity = { id?: string | undefined; username?: string | undefined };

/** Whether two identities are one person: by id, or by the username of the platform. */
export function isSamePerson(one: Identity, other: Identity): boolean {
  if (one.id !== undefined && one.id === other.id) return true;
  return one.username !== undefined && one.username === other.username;
}

export function isBotItself(scene: Scene, identity: Identity): boolean {
  return isSamePerson(identity, scene.message.bot);
}
