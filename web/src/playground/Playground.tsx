// The page's state: who speaks, where, to whom they answer, and which message is looked into.
import { Tabs } from 'radix-ui';
import { useMemo, useState } from 'react';
import { capitalised } from '../format.ts';
import { ErrorNote } from '../ui/notices.tsx';
import { ChatTabs, type Place } from './ChatTabs.tsx';
import { Composer } from './Composer.tsx';
import { EmptyChat } from './EmptyChat.tsx';
import type { Person, Stack } from './localApi.ts';
import type { BubbleActions } from './MessageBubble.tsx';
import { MessageList } from './MessageList.tsx';
import { PeoplePicker } from './PeoplePicker.tsx';
import { TracePanel } from './panel/TracePanel.tsx';
import { suggestionsFor } from './suggestions.ts';
import { Toast, useToast } from './Toast.tsx';
import type { ChatMessage } from './telegramApi.ts';
import { isFinal, statusOf } from './traceWords.ts';
import { useChatStream, useMessages } from './useChats.ts';
import { usePause } from './usePause.ts';
import { useTrace } from './useTrace.ts';
import { useGreeting, usePress, useTyping } from './useTyping.ts';
import { type View, ViewBar } from './ViewBar.tsx';

export function Playground({ stack }: { stack: Stack }) {
  const { people, telegram } = stack;
  const [name, setName] = useState(people[0]?.name ?? '');
  const speaker = people.find((person) => person.name === name) ?? (people[0] as Person);
  const [place, setPlace] = useState<Place>('group');
  const [view, setView] = useState<View>('chat');
  const [draft, setDraft] = useState('');
  const [replyTo, setReplyTo] = useState<ChatMessage | null>(null);
  const [chosen, setChosen] = useState<ChatMessage | null>(null);
  /** A link to a transaction was followed, and the panel has not got there yet. */
  const [wantsTransaction, setWantsTransaction] = useState(false);
  const [unread, setUnread] = useState<ReadonlySet<number>>(new Set());

  const chatId = place === 'group' ? telegram.group_chat_id : speaker.telegram.id;
  const messages = useMessages(telegram.url, chatId).data ?? NONE;
  const command = useMemo(() => chosen ?? newestCommand(messages), [chosen, messages]);
  const trace = useTrace(
    command && { chatId: command.chat.id, messageId: command.message_id, sentAt: command.date * 1000 },
  );
  const { refetch } = trace;
  const final = trace.data !== undefined && isFinal(trace.data, (command?.date ?? 0) * 1000, trace.dataUpdatedAt);
  const status = trace.data && statusOf(trace.data, final);
  const toast = useToast();
  const pause = usePause(people, command, trace.data, (resumed) =>
    toast.show(`${capitalised(resumed)}’s wallet has resumed spending.`),
  );

  const typing = useTyping(telegram.url, () => {
    setDraft('');
    setReplyTo(null);
    setChosen(null);
  });
  const greet = useGreeting(telegram.url, telegram.group_chat_id);
  const press = usePress(telegram.url, speaker);
  const connected = useChatStream(telegram.url, {
    onMessage: (message) => {
      if (message.from?.is_bot) void refetch();
      if (message.chat.id !== chatId) setUnread((known) => new Set(known).add(message.chat.id));
    },
    onAnswer: (text) => {
      press.release();
      if (text) toast.show(text);
    },
  });

  const goTo = (nextPlace: Place, nextSpeaker: Person = speaker) => {
    setPlace(nextPlace);
    setName(nextSpeaker.name);
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
    <div className="flex min-h-0 grow flex-col">
      <main className="grid min-h-0 grow grid-rows-[minmax(0,1fr)] lg:grid-cols-[14rem_minmax(0,1fr)_minmax(0,1fr)]">
        <div className="border-r border-line px-2 py-4 max-lg:hidden">
          <PeoplePicker
            people={people}
            speaker={speaker}
            paused={pause.paused}
            onPick={(next) => goTo(place, find(people, next))}
          />
        </div>
        <Tabs.Root
          value={place}
          onValueChange={(next) => goTo(next as Place)}
          className={`flex min-h-0 min-w-0 flex-col ${view === 'chat' ? '' : 'max-lg:hidden'}`}
        >
          <div className="border-b border-line px-2 py-2 lg:hidden">
            <PeoplePicker
              people={people}
              speaker={speaker}
              paused={pause.paused}
              onPick={(next) => goTo(place, find(people, next))}
            />
          </div>
          <ChatTabs stack={stack} speaker={speaker} unread={unread} connected={connected} />
          <Tabs.Content value={place} tabIndex={-1} className="flex min-h-0 grow flex-col outline-none">
            <Toast text={toast.text} />
            <MessageList
              url={telegram.url}
              chatId={chatId}
              speakerId={speaker.telegram.id}
              empty={<EmptyChat place={place} greeting={greet.isPending} onGreet={() => greet.mutate(people)} />}
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
              replyTo={replyTo}
              onReplyTo={setReplyTo}
              onReplyToNewest={() => setReplyTo(othersNewest)}
              suggestions={suggestionsFor(speaker, people, place, othersNewest !== null)}
              sending={typing.isPending}
              error={typing.error?.message ?? null}
              onSend={() => {
                const text = draft.trim();
                if (text && !typing.isPending)
                  typing.mutate({ chatId, person: speaker, text, replyTo: replyTo?.message_id ?? null });
              }}
            />
          </Tabs.Content>
        </Tabs.Root>
        <aside
          aria-label="What happened"
          className={`min-h-0 min-w-0 border-line lg:border-l ${view === 'panel' ? '' : 'max-lg:hidden'}`}
        >
          <TracePanel
            stack={stack}
            message={command}
            trace={trace.data}
            final={final}
            wantsTransaction={wantsTransaction}
            onTransactionShown={() => setWantsTransaction(false)}
            error={trace.error}
            onRetry={() => void refetch()}
            pausedName={pause.shown && capitalised(pause.shown)}
            onResume={() => pause.shown && pause.resume.mutate(pause.shown)}
            resuming={pause.resume.isPending}
            resumeError={pause.resume.error?.message ?? null}
          />
        </aside>
      </main>
      <ViewBar view={view} onView={setView} status={status} />
    </div>
  );
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

/** A bot's message is about the one that it answers. */
function commandBehind(message: ChatMessage, messages: ChatMessage[]): ChatMessage {
  const answered = message.from?.is_bot ? message.reply_to_message?.message_id : undefined;
  return messages.find((one) => one.message_id === answered) ?? message;
}
