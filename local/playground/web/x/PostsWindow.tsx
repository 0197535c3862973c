// X's window: posts with their replies as threads, and direct messages with the bot.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import { useMemo, useState } from 'react';
import { capitalised, clockTime } from '../../../../web/src/app/format.ts';
import { Avatar } from '../../../../web/src/ui/Avatar.tsx';
import { EmptyNote, ErrorNote } from '../../../../web/src/ui/notices.tsx';
import { ChatTabs, type Place } from '../ChatTabs.tsx';
import { Composer } from '../Composer.tsx';
import { Frame } from '../Frame.tsx';
import { type Person, peopleOn } from '../localApi.ts';
import { ASK, isBusiness } from '../suggestions.ts';
import type { WindowProps } from '../TelegramWindow.tsx';
import { Toast, useToast } from '../Toast.tsx';
import { useInspection } from '../useInspection.ts';
import type { Selected } from '../useTrace.ts';
import { marked, type PostActions, PostRow } from './PostRow.tsx';
import { keepThread, readThreads } from './threads.ts';
import { useConversations, useDirect } from './useX.ts';
import { writeDirect, writePost, type X, type XPost } from './xApi.ts';

export function PostsWindow({ stack, name, onName, x }: WindowProps & { x: X }) {
  const { url } = x;
  const client = useQueryClient();
  const people = useMemo(() => peopleOn(stack, 'x'), [stack]);
  const speaker = people.find((person) => person.name === name) ?? (people[0] as Person);
  const [place, setPlace] = useState<Place>('group');
  const [draft, setDraft] = useState('');
  const [replyTo, setReplyTo] = useState<XPost | null>(null);
  const [chosen, setChosen] = useState<Selected | null>(null);
  const [ids, setIds] = useState(() => readThreads(url));
  const toast = useToast();
  const { threads, error } = useConversations(url, ids);
  const posts = useMemo(() => threads.flat().sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1)), [threads]);
  const botName = x.bot?.username ?? 'ampersat';
  const isBot = (post: XPost) => !people.some((person) => person.x.id === post.author?.id);
  const newest = posts.findLast((post) => !isBot(post));
  const selected = chosen ?? (newest ? selectedOf(newest) : null);
  const author = people.find((person) => capitalised(person.name) === selected?.who)?.name ?? null;
  const inspection = useInspection(selected, author, toast.show);

  const send = useMutation({
    mutationFn: async (text: string) => {
      if (place === 'direct') return void (await writeDirect(url, { person: speaker, text }));
      const { conversation_id } = await writePost(url, { person: speaker, text, replyTo: replyTo?.id ?? null });
      setIds(keepThread(url, conversation_id));
      setChosen(null);
    },
    onSuccess: () => {
      setDraft('');
      setReplyTo(null);
      void client.invalidateQueries({ queryKey: ['x'] });
    },
  });
  const actions: PostActions = {
    reply: setReplyTo,
    inspect: (post) => {
      const answered = isBot(post) ? posts.find(({ id }) => id === post.in_reply_to_post_id) : undefined;
      setChosen(selectedOf(answered ?? post));
      inspection.setView('panel');
    },
  };
  const friend = people.find((person) => person.connected && person.name !== speaker.name)?.x.username ?? 'bob';
  const othersNewest = posts.findLast((post) => !isBot(post) && post.author?.id !== speaker.x.id) ?? null;
  const suggestions =
    place === 'direct'
      ? ['connect', 'balance', 'help'].map((text) => ({ text }))
      : [
          ...(isBusiness(speaker) ? [{ text: `@${botName} ${ASK}` }] : []),
          { text: `@${botName} tip @${friend} 5` },
          { text: 'Fresh bread is out.' },
          ...(othersNewest ? [{ text: `@${botName} tip 3`, asReply: true }] : []),
        ];

  return (
    <Frame stack={stack} platform="x" people={people} speaker={speaker} onSpeaker={onName} inspection={inspection}>
      <Tabs.Root
        value={place}
        onValueChange={(next) => {
          setPlace(next as Place);
          setReplyTo(null);
        }}
        className="flex min-h-0 min-w-0 grow flex-col"
      >
        <ChatTabs
          speaker={speaker}
          group={{ title: 'Posts', line: 'everyone can read', isUnread: false }}
          isDirectUnread={false}
          connected={error === null}
        />
        <Tabs.Content value={place} tabIndex={-1} className="flex min-h-0 grow flex-col outline-none">
          <Toast text={toast.text} />
          {place === 'group' ? (
            <Threads
              threads={threads}
              error={error}
              isBot={isBot}
              selected={selected?.ref.platform === 'x' ? selected.ref.post_id : null}
              botName={botName}
              actions={actions}
            />
          ) : (
            <Direct url={url} person={speaker} />
          )}
          <Composer
            speaker={speaker}
            place={place === 'group' ? 'everyone' : `@${botName}`}
            placeholder={
              place === 'group' ? (replyTo ? 'Post your reply' : 'What is happening?') : 'Start a new message'
            }
            draft={draft}
            onDraft={setDraft}
            replyTo={replyTo && { id: replyTo.id, who: replyTo.author?.name ?? '', text: replyTo.visible_text }}
            onNoReply={() => setReplyTo(null)}
            onReplyToNewest={() => setReplyTo(othersNewest)}
            suggestions={suggestions}
            sending={send.isPending}
            error={send.error?.message ?? null}
            onSend={() => {
              const text = draft.trim();
              if (text && !send.isPending) send.mutate(text);
            }}
          />
        </Tabs.Content>
      </Tabs.Root>
    </Frame>
  );
}

function selectedOf(post: XPost): Selected {
  return {
    ref: { platform: 'x', post_id: post.edit_history_ids[0] ?? post.id },
    who: post.author?.name ?? 'Someone',
    text: post.visible_text,
    sentAt: Date.parse(post.created_at),
  };
}

function Threads({
  threads,
  error,
  isBot,
  selected,
  botName,
  actions,
}: {
  threads: XPost[][];
  error: Error | null;
  isBot: (post: XPost) => boolean;
  selected: string | null;
  botName: string;
  actions: PostActions;
}) {
  return (
    <div className="flex min-h-0 grow flex-col overflow-y-auto overscroll-contain quiet-scroll">
      {error && <ErrorNote>{error.message}</ErrorNote>}
      {threads.length === 0 && !error && (
        <div className="my-auto">
          <EmptyNote title="No posts yet">
            Post something, or mention @{botName} with a tip. Your posts appear here.
          </EmptyNote>
        </div>
      )}
      <div role="log" aria-label="Messages">
        {threads.map((posts) => (
          <ol key={posts[0]?.id} aria-label={posts[0]?.visible_text} className="border-b border-line pb-2">
            {posts.map((post, index) => (
              <PostRow
                key={post.id}
                post={post}
                isBot={isBot(post)}
                isTied={index < posts.length - 1}
                selected={selected !== null && (post.edit_history_ids[0] ?? post.id) === selected}
                actions={actions}
              />
            ))}
          </ol>
        ))}
      </div>
    </div>
  );
}

function Direct({ url, person }: { url: string; person: Person }) {
  const { data, error, refetch } = useDirect(url, person.x.id);
  return (
    <div className="flex min-h-0 grow flex-col-reverse overflow-y-auto overscroll-contain quiet-scroll">
      <div>
        {error && !data && <ErrorNote retry={() => void refetch()}>{error.message}</ErrorNote>}
        {data?.length === 0 && (
          <EmptyNote title="Your own chat with the bot">
            Answers about your money come here, visible only to you.
          </EmptyNote>
        )}
        <ol role="log" aria-label="Messages" className="flex flex-col gap-2 p-4">
          {data?.map((message) => {
            const isOwn = message.from?.id === person.x.id;
            return (
              <li key={message.id} className={`flex items-end gap-2 arrives ${isOwn ? 'flex-row-reverse' : ''}`}>
                {!isOwn && <Avatar name="Ampersat" bot />}
                <p
                  className={`max-w-[80%] rounded-2xl px-4 py-2 break-words whitespace-pre-wrap ${isOwn ? 'rounded-br-sm bg-own' : 'rounded-bl-sm bg-sunken'}`}
                >
                  {marked(message.text)}
                  <span className="ml-2 text-sm text-muted amount">{clockTime(Date.parse(message.created_at))}</span>
                </p>
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}
