// Telegram's window: the group and the direct chat with the bot, the composer, and the selected message.
import { Tabs } from 'radix-ui';
import { useMemo, useState } from 'react';
import { ErrorNote } from '../../../web/src/ui/notices.tsx';
import { ChatTabs, type Place } from './ChatTabs.tsx';
import { Composer } from './Composer.tsx';
import { EmptyChat } from './EmptyChat.tsx';
import { Frame } from './Frame.tsx';
import { type Person, peopleOn, type Stack } from './localApi.ts';
import { type BubbleActions, nameOf } from './MessageBubble.tsx';
import { MessageList } from './MessageList.tsx';
import { suggestionsFor } from './suggestions.ts';
import { Toast, useToast } from './Toast.tsx';
import type { ChatMessage } from './telegramApi.ts';
import { useChatStream, useMessages } from './useChats.ts';
import { useInspection } from './useInspection.ts';
import type { Selected } from './useTrace.ts';
import { useGreeting, usePress, useTyping } from './useTyping.ts';

/** `name` is the account that speaks, on all platforms. */
export type WindowProps = { stack: Stack; name: string; onName: (name: string) => void };

export function TelegramWindow({ stack, name, onName }: WindowProps) {
  const { telegram } = stack;
  const people = useMemo(() => peopleOn(stack, 'telegram'), [stack]);
  const speaker = find(people, name) ?? (people[0] as Person);
  const [place, setPlace] = useState<Place>('group');
  const [draft, setDraft] = useState('');
  const [replyTo, setReplyTo] = useState<ChatMessage | null>(null);
  const [chosen, setChosen] = useState<ChatMessage | null>(null);
  const [unread, setUnread] = useState<ReadonlySet<number>>(new Set());
  const toast = useToast();

  const chatId = place === 'group' ? telegram.group_chat_id : speaker.telegram.id;
  const messages = useMessages(telegram.url, chatId).data ?? NONE;
  const command = useMemo(() => chosen ?? newestCommand(messages), [chosen, messages]);
  const author = people.find((person) => person.telegram.id === command?.from?.id)?.name ?? null;
  const inspection = useInspection(command && selectedOf(command), author, toast.show);
  const { setView, setWantsTransaction } = inspection;

  const typing = useTyping(telegram.url, () => {
    setDraft('');
    setReplyTo(null);
    setChosen(null);
  });
  const send = (text: string) => typing.mutate({ chatId, person: speaker, text, replyTo: replyTo?.message_id ?? null });
  const greet = useGreeting(telegram.url, telegram.group_chat_id);
  const press = usePress(telegram.url, speaker);
  const connected = useChatStream(telegram.url, {
    onMessage: (message) => {
      if (message.from?.is_bot) void inspection.trace.refetch();
      if (message.chat.id !== chatId) setUnread((known) => new Set(known).add(message.chat.id));
    },
    onAnswer: (text) => {
      press.release();
      if (text) toast.show(text);
    },
  });

  const goTo = (nextPlace: Place, nextSpeaker: Person = speaker) => {
    setPlace(nextPlace);
    onName(nextSpeaker.name);
    const opened = nextPlace === 'group' ? telegram.group_chat_id : nextSpeaker.telegram.id;
    setUnread((known) => new Set([...known].filter((id) => id !== opened)));
    if (opened !== chatId) {
      setReplyTo(null);
      setChosen(null);
    }
  };
  const othersNewest = messages.findLast((one) => !one.from?.is_bot && one.from?.id !== speaker.telegram.id) ?? null;
  const inspect = (message: ChatMessage) => {
    setChosen(commandBehind(message, messages));
    setView('panel');
  };
  const actions: BubbleActions = {
    reply: setReplyTo,
    inspect,
    inspectTransaction: (message) => {
      inspect(message);
      setWantsTransaction(true);
    },
    press: press.press,
    openDirect: () => goTo('direct'),
  };

  return (
    <Frame
      stack={stack}
      platform="telegram"
      people={people}
      speaker={speaker}
      onSpeaker={(next) => goTo(place, find(people, next))}
      inspection={inspection}
    >
      <Tabs.Root
        value={place}
        onValueChange={(next) => goTo(next as Place)}
        className="flex min-h-0 min-w-0 grow flex-col"
      >
        <ChatTabs
          speaker={speaker}
          group={{ title: 'Friends', line: `${people.length} people`, isUnread: unread.has(telegram.group_chat_id) }}
          isDirectUnread={unread.has(speaker.telegram.id)}
          connected={connected}
        />
        <Tabs.Content value={place} tabIndex={-1} className="flex min-h-0 grow flex-col outline-none">
          <Toast text={toast.text} />
          <MessageList
            url={telegram.url}
            chatId={chatId}
            speakerId={speaker.telegram.id}
            empty={
              <EmptyChat
                place={place}
                greeting={greet.isPending}
                onGreet={() => greet.mutate(people)}
                starting={typing.isPending}
                onStart={() => send('/start')}
              />
            }
            selectedId={command?.message_id ?? null}
            pressed={press.pressed}
            actions={actions}
          />
          {press.error && <ErrorNote retry={press.again}>{press.error.message}</ErrorNote>}
          {greet.isError && <ErrorNote retry={() => greet.mutate(people)}>{greet.error.message}</ErrorNote>}
          <Composer
            speaker={speaker}
            place={place === 'group' ? 'Friends' : `@${telegram.bot.username}`}
            draft={draft}
            onDraft={setDraft}
            replyTo={replyTo && { id: String(replyTo.message_id), who: nameOf(replyTo.from), text: replyTo.text ?? '' }}
            onNoReply={() => setReplyTo(null)}
            onReplyToNewest={() => setReplyTo(othersNewest)}
            suggestions={suggestionsFor(speaker, people, place, othersNewest !== null)}
            sending={typing.isPending}
            error={typing.error?.message ?? null}
            onSend={() => {
              const text = draft.trim();
              if (text && !typing.isPending) send(text);
            }}
          />
        </Tabs.Content>
      </Tabs.Root>
    </Frame>
  );
}

function selectedOf(message: ChatMessage): Selected {
  return {
    ref: { platform: 'telegram', chat_id: String(message.chat.id), message_id: String(message.message_id) },
    who: nameOf(message.from),
    text: message.text ?? '',
    sentAt: message.date * 1_000,
  };
}

const NONE: ChatMessage[] = [];

function find(people: Person[], name: string): Person | undefined {
  return people.find((person) => person.name === name);
}

function isCommand(message: ChatMessage): boolean {
  return !message.from?.is_bot && (message.text ?? '').trimStart().startsWith('/');
}

function newestCommand(messages: ChatMessage[]): ChatMessage | null {
  return messages.findLast(isCommand) ?? null;
}

/** A bot message selects the one that it answers. */
function commandBehind(message: ChatMessage, messages: ChatMessage[]): ChatMessage {
  const answered = message.from?.is_bot ? message.reply_to_message?.message_id : undefined;
  return messages.find((one) => one.message_id === answered) ?? message;
}
