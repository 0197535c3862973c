// The speaker's chats: the group, and the direct chat with the bot.
import { Tabs } from 'radix-ui';
import { capitalised } from '../../../web/src/app/format.ts';
import { Avatar } from '../../../web/src/ui/Avatar.tsx';
import type { Person } from './localApi.ts';

export type Place = 'group' | 'direct';

export function ChatTabs({
  speaker,
  group,
  isDirectUnread,
  connected,
}: {
  speaker: Person;
  /** Null while only the direct chat is known. */
  group: { title: string; line: string; isUnread: boolean } | null;
  isDirectUnread: boolean;
  connected: boolean;
}) {
  return (
    <div className="border-b border-line bg-surface">
      <Tabs.List aria-label={`Chats of ${capitalised(speaker.name)}`} className="grid grid-cols-2">
        {group && <Chat value="group" {...group} />}
        <Chat
          value="direct"
          title="Ampersat"
          line={`direct, as ${capitalised(speaker.name)}`}
          isUnread={isDirectUnread}
          bot
        />
      </Tabs.List>
      {!connected && (
        <p role="status" className="bg-amber-soft px-4 py-1 text-sm text-amber">
          Connecting to the chat…
        </p>
      )}
    </div>
  );
}

function Chat({
  value,
  title,
  line,
  isUnread,
  bot = false,
}: {
  value: Place;
  title: string;
  line: string;
  isUnread: boolean;
  bot?: boolean;
}) {
  return (
    <Tabs.Trigger
      value={value}
      className="relative flex min-w-0 items-center gap-3 border-b-2 border-transparent px-4 py-2 text-left -outline-offset-2! hover:bg-paper data-[state=active]:border-accent"
    >
      <Avatar name={title} bot={bot} size="medium" />
      <span className="min-w-0">
        <span className="flex items-center gap-2 font-semibold">
          {title}
          {isUnread && (
            <span className="size-2 rounded-full bg-accent">
              <span className="sr-only">new messages</span>
            </span>
          )}
        </span>
        <span className="block truncate text-sm text-muted">{line}</span>
      </span>
    </Tabs.Trigger>
  );
}
