// Discord's window: a channel and the direct chat with the bot; messages, slash commands, message commands and modals.
import { useMutation } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import { useMemo, useState } from 'react';
import { capitalised } from '../../../../web/src/app/format.ts';
import { EmptyNote, ErrorNote } from '../../../../web/src/ui/notices.tsx';
import { ChatTabs, type Place } from '../ChatTabs.tsx';
import { Composer } from '../Composer.tsx';
import { Frame } from '../Frame.tsx';
import { type Person, peopleOn } from '../localApi.ts';
import type { WindowProps } from '../TelegramWindow.tsx';
import { Toast, useToast } from '../Toast.tsx';
import { useInspection } from '../useInspection.ts';
import type { Selected } from '../useTrace.ts';
import { BotForm } from './BotForm.tsx';
import type { RowActions } from './DiscordMessageRow.tsx';
import { DiscordMessages } from './DiscordMessages.tsx';
import {
  DIRECT,
  type Discord,
  type DiscordForm,
  type DiscordMessage,
  fetchInteraction,
  pressButton,
  runCommand,
  sendForm,
  writeMessage,
} from './discordApi.ts';
import { optionsHint, readTyped } from './slash.ts';
import { suggestionsFor } from './suggestions.ts';
import { useCommands, useDiscordMessages, useDiscordStream } from './useDiscord.ts';

const MENU = 3;
const NONE: DiscordMessage[] = [];

export function DiscordWindow({ stack, name, onName, discord }: WindowProps & { discord: Discord }) {
  const { url, application_id: botId } = discord;
  const people = useMemo(() => peopleOn(stack, 'discord'), [stack]);
  const speaker = people.find((person) => person.name === name) ?? (people[0] as Person);
  const [place, setPlace] = useState<Place>(discord.channel_id ? 'group' : 'direct');
  const [draft, setDraft] = useState('');
  const [replyTo, setReplyTo] = useState<DiscordMessage | null>(null);
  const [chosen, setChosen] = useState<Selected | null>(null);
  const [form, setForm] = useState<{ id: string; form: DiscordForm } | null>(null);
  const [pressed, setPressed] = useState<{ messageId: string; customId: string; interaction: string | null } | null>(
    null,
  );
  /** The typed command by interaction ID: Discord shows it only to its author. */
  const [typed, setTyped] = useState<Record<string, Selected>>({});
  const toast = useToast();

  const channelId = place === 'group' && discord.channel_id ? discord.channel_id : DIRECT;
  const { id: ownId } = speaker.discord;
  const list = useDiscordMessages(url, channelId, ownId);
  const messages = (list.data ?? NONE).filter(({ visible_to }) => visible_to === null || visible_to === ownId);
  const commands = useCommands(url).data ?? [];
  const bot = {
    id: botId,
    names: ['ampersat', messages.find(({ author }) => author.id === botId)?.author.username ?? ''],
  };
  const nameOf = (id: string) => {
    if (id === botId) return 'Ampersat';
    const person = people.find(({ discord: { id: known } }) => known === id);
    return person ? capitalised(person.name) : (messages.find(({ author }) => author.id === id)?.author.username ?? id);
  };
  const newest = messages.findLast(({ author }) => author.bot !== true);
  const selected = chosen ?? (newest ? selectedOf(newest, nameOf) : null);
  const author = people.find((person) => capitalised(person.name) === selected?.who)?.name ?? null;
  const inspection = useInspection(selected, author, toast.show);
  const { setView, setWantsTransaction } = inspection;

  const connected = useDiscordStream(url, {
    message: (message) => {
      if (message.author.id === botId) void inspection.trace.refetch();
    },
    answer: (id, answer, opened) => {
      setPressed((known) => (known?.interaction === id ? null : known));
      if (answer === 'modal' && opened) setForm({ id, form: opened });
    },
  });

  const remember = (interaction: string, text: string) => {
    const began = {
      ref: { platform: 'discord' as const, interaction_id: interaction },
      who: capitalised(speaker.name),
      text,
      sentAt: Date.now(),
    };
    setTyped((known) => ({ ...known, [interaction]: began }));
    setChosen(began);
  };
  const send = useMutation({
    mutationFn: async (text: string) => {
      const read = readTyped(text, commands, people, bot);
      if (read.kind === 'wrong') throw new Error(read.why);
      if (read.kind === 'text') {
        await writeMessage(url, { channelId, person: speaker, content: read.content, replyTo: replyTo?.id ?? null });
        setChosen(null);
      } else remember(await runCommand(url, { channelId, person: speaker, ...read }), text);
    },
    onSuccess: () => {
      setDraft('');
      setReplyTo(null);
      void list.refetch();
    },
  });
  const press = useMutation({
    mutationFn: async ({ message, customId }: { message: DiscordMessage; customId: string }) => {
      setPressed({ messageId: message.id, customId, interaction: null });
      const interaction = await pressButton(url, { message, person: speaker, customId });
      // The stream may deliver the answer before this call returns its ID.
      const { answer } = await fetchInteraction(url, interaction);
      setPressed(answer === null ? { messageId: message.id, customId, interaction } : null);
    },
    onError: () => setPressed(null),
  });
  const menu = commands.find(({ type }) => type === MENU);
  const tipAuthor = useMutation({
    mutationFn: async (message: DiscordMessage) => {
      if (!menu) return;
      const given = {
        channelId: message.channel_id,
        person: speaker,
        name: menu.name,
        options: [],
        targetId: message.id,
      };
      remember(await runCommand(url, given), `${menu.name}: ${message.content}`);
    },
  });
  const fill = useMutation({
    mutationFn: async (values: Record<string, string>) => {
      if (!form) return;
      const id = await sendForm(url, { interactionId: form.id, person: speaker, values });
      remember(id, `${form.form.title}: ${Object.values(values).filter(Boolean).join(', ')}`);
    },
    onSuccess: () => setForm(null),
  });

  const move = (next: Place, person: Person = speaker) => {
    setPlace(next);
    onName(person.name);
    setReplyTo(null);
    setForm(null);
    if (next !== place) setChosen(null);
  };
  const inspect = (message: DiscordMessage) => {
    setChosen(behind(message, messages, typed, nameOf));
    setView('panel');
  };
  const actions: RowActions = {
    reply: setReplyTo,
    inspect,
    inspectTransaction: (message) => {
      inspect(message);
      setWantsTransaction(true);
    },
    press: (message, customId) => press.mutate({ message, customId }),
    tipAuthor: menu ? (message) => tipAuthor.mutate(message) : null,
  };
  const othersNewest = messages.findLast((one) => one.author.bot !== true && one.author.id !== ownId) ?? null;
  const failed = [press, tipAuthor].find(({ error }) => error !== null)?.error;

  return (
    <Frame
      stack={stack}
      platform="discord"
      people={people}
      speaker={speaker}
      onSpeaker={(next) =>
        move(
          place,
          people.find((person) => person.name === next),
        )
      }
      inspection={inspection}
    >
      <Tabs.Root
        value={place}
        onValueChange={(next) => move(next as Place)}
        className="flex min-h-0 min-w-0 grow flex-col"
      >
        <ChatTabs
          speaker={speaker}
          group={discord.channel_id ? { title: '# general', line: `in ${discord.guild_name}`, isUnread: false } : null}
          isDirectUnread={false}
          connected={connected}
        />
        <Tabs.Content value={place} tabIndex={-1} className="flex min-h-0 grow flex-col outline-none">
          <Toast text={toast.text} />
          <DiscordMessages
            messages={list.data && messages}
            error={list.error}
            onRetry={() => void list.refetch()}
            place={`${channelId}${ownId}`}
            empty={
              <EmptyNote title={place === 'group' ? 'No messages yet' : 'Your own chat with the bot'}>
                Write something, mention @Ampersat, or type / for a command.
              </EmptyNote>
            }
            selected={selected?.ref ?? null}
            typed={typed}
            pressed={pressed}
            nameOf={nameOf}
            actions={actions}
          />
          {failed && <ErrorNote>{failed.message}</ErrorNote>}
          {form ? (
            <BotForm
              key={form.id}
              form={form.form}
              sending={fill.isPending}
              error={fill.error?.message ?? null}
              onSend={(values) => fill.mutate(values)}
              onClose={() => setForm(null)}
            />
          ) : (
            <Composer
              speaker={speaker}
              place={place === 'group' ? '#general' : 'Ampersat'}
              draft={draft}
              onDraft={setDraft}
              replyTo={replyTo && { id: replyTo.id, who: nameOf(replyTo.author.id), text: replyTo.content }}
              onNoReply={() => setReplyTo(null)}
              onReplyToNewest={() => setReplyTo(othersNewest)}
              suggestions={suggestionsFor(speaker, people, commands, othersNewest !== null && place === 'group')}
              hint={optionsHint(draft, commands)}
              sending={send.isPending}
              error={send.error?.message ?? null}
              onSend={() => {
                const text = draft.trim();
                if (text && !send.isPending) send.mutate(text);
              }}
            />
          )}
        </Tabs.Content>
      </Tabs.Root>
    </Frame>
  );
}

function selectedOf(message: DiscordMessage, nameOf: (id: string) => string): Selected {
  return {
    ref: { platform: 'discord', message_id: message.id },
    who: nameOf(message.author.id),
    text: readable(message.content, nameOf),
    sentAt: Date.parse(message.timestamp),
  };
}

/** A bot message selects the command or the message that it answers. */
function behind(
  message: DiscordMessage,
  messages: DiscordMessage[],
  typed: Record<string, Selected>,
  nameOf: (id: string) => string,
): Selected {
  const used = message.interaction_metadata;
  if (used)
    return (
      typed[used.id] ?? {
        ref: { platform: 'discord', interaction_id: used.id },
        who: nameOf(used.user?.id ?? ''),
        text: 'a command',
        sentAt: Date.parse(message.timestamp),
      }
    );
  const answered = message.author.bot ? messages.find(({ id }) => id === message.referenced_message?.id) : undefined;
  return selectedOf(answered ?? message, nameOf);
}

function readable(text: string, nameOf: (id: string) => string): string {
  return text.replace(/<@!?(\d{1,20})>/g, (_whole, id: string) => `@${nameOf(id)}`);
}
