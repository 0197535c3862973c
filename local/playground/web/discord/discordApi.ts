// Client of the local Discord server, as its users: messages, commands, buttons and modals.
import { callJson, type Person, type Stack } from '../localApi.ts';

export type Discord = NonNullable<Stack['discord']>;

export type DiscordUser = { id: string; username: string; bot?: boolean };

export type DiscordButton = {
  type: number;
  style: number;
  label?: string;
  custom_id?: string;
  url?: string;
  disabled?: boolean;
};

/** The fields of Discord's message that a window shows. `visible_to` is the only user who sees an ephemeral one. */
export type DiscordMessage = {
  id: string;
  channel_id: string;
  author: DiscordUser;
  content: string;
  timestamp: string;
  edited: boolean;
  visible_to: string | null;
  flags?: number;
  referenced_message?: { id: string; author: DiscordUser; content: string } | null;
  components?: { components: DiscordButton[] }[];
  interaction_metadata?: { id: string; user?: DiscordUser };
};

/** The user's direct chat with the bot. */
export const DIRECT = '@me';

const LOADING = 1 << 7;
/** A deferred response without content yet. */
export function isThinking({ flags = 0 }: DiscordMessage): boolean {
  return (flags & LOADING) !== 0;
}

export function fetchMessages(url: string, channelId: string, userId: string): Promise<DiscordMessage[]> {
  return callJson(`${url}/_user/messages?${new URLSearchParams({ channel_id: channelId, user: userId })}`);
}

export type CommandOption = { name: string; description: string; type: number; required?: boolean };
export type DiscordCommand = { name: string; type?: number; description?: string; options?: CommandOption[] };

export function fetchCommands(url: string): Promise<DiscordCommand[]> {
  return callJson(`${url}/_user/commands`);
}

/** @returns the message ID */
export async function writeMessage(
  url: string,
  given: { channelId: string; person: Person; content: string; replyTo: string | null },
): Promise<string> {
  const { message_id } = await callJson<{ message_id: string }>(`${url}/_user/messages`, {
    channel_id: given.channelId,
    author: given.person.discord,
    content: given.content,
    ...(given.replyTo === null ? {} : { message_reference: { message_id: given.replyTo } }),
  });
  return message_id;
}

export type OptionValue = { name: string; value: string | number | boolean };

/** Uses a slash command, or with `targetId` a message command. @returns the interaction ID */
export async function runCommand(
  url: string,
  given: { channelId: string; person: Person; name: string; options: OptionValue[]; targetId?: string },
): Promise<string> {
  const { interaction_id } = await callJson<{ interaction_id: string }>(`${url}/_user/interactions`, {
    name: given.name,
    options: given.options,
    user: given.person.discord,
    channel_id: given.channelId,
    ...(given.targetId && { target_id: given.targetId }),
  });
  return interaction_id;
}

/** @returns the interaction ID */
export async function pressButton(
  url: string,
  { message, person, customId }: { message: DiscordMessage; person: Person; customId: string },
): Promise<string> {
  const { interaction_id } = await callJson<{ interaction_id: string }>(`${url}/_user/components`, {
    message_id: message.id,
    channel_id: message.channel_id,
    user: person.discord,
    custom_id: customId,
  });
  return interaction_id;
}

export type FormField = { custom_id: string; label?: string; placeholder?: string; value?: string; required?: boolean };
/** Discord's modal: each row has one or more fields, or a label around one. */
type FormRow = { label?: string; component?: FormField; components?: FormField[] };
export type DiscordForm = { custom_id: string; title: string; components: FormRow[] };

export type Interaction = { id: string; answer: string | null; modal: DiscordForm | null };

export function fetchInteraction(url: string, id: string): Promise<Interaction> {
  return callJson(`${url}/_user/interactions?${new URLSearchParams({ id })}`);
}

export async function sendForm(
  url: string,
  given: { interactionId: string; person: Person; values: Record<string, string> },
): Promise<string> {
  const { interaction_id } = await callJson<{ interaction_id: string }>(`${url}/_user/components`, {
    interaction_id: given.interactionId,
    user: given.person.discord,
    values: given.values,
  });
  return interaction_id;
}

export function fieldsOf(form: DiscordForm): (FormField & { label: string })[] {
  return form.components.flatMap(({ label, component, components }) =>
    (component ? [component] : (components ?? [])).map((field) => ({ ...field, label: field.label ?? label ?? '' })),
  );
}
