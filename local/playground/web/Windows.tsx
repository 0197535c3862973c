// The windows of the stack's platforms, one at a time, with one speaker for all.
import { MessagesSquare, Send } from 'lucide-react';
import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { DiscordWindow } from './discord/DiscordWindow.tsx';
import type { PlatformName, Stack } from './localApi.ts';
import { TelegramWindow } from './TelegramWindow.tsx';
import { PostsWindow } from './x/PostsWindow.tsx';

const ICON = 'size-4 shrink-0';
const PLATFORMS: { name: PlatformName; label: string; icon: ReactNode }[] = [
  { name: 'telegram', label: 'Telegram', icon: <Send aria-hidden="true" className={ICON} /> },
  { name: 'discord', label: 'Discord', icon: <MessagesSquare aria-hidden="true" className={ICON} /> },
  {
    name: 'x',
    label: 'X',
    icon: (
      <span aria-hidden="true" className="font-mono font-bold">
        X
      </span>
    ),
  },
];

export function Windows({ stack }: { stack: Stack }) {
  const there = PLATFORMS.filter(({ name }) => stack[name]);
  const [platform, setPlatform] = useState<PlatformName>('telegram');
  const [name, setName] = useState(stack.people[0]?.name ?? '');
  const props = { stack, name, onName: setName };
  const window =
    platform === 'discord' && stack.discord ? (
      <DiscordWindow {...props} discord={stack.discord} />
    ) : platform === 'x' && stack.x ? (
      <PostsWindow {...props} x={stack.x} />
    ) : (
      <TelegramWindow {...props} />
    );
  if (there.length < 2) return window;
  return (
    <Tabs.Root
      value={platform}
      onValueChange={(next) => setPlatform(next as PlatformName)}
      className="flex min-h-0 grow flex-col"
    >
      <Tabs.List aria-label="Platforms" className="flex border-b border-line bg-surface px-2 sm:px-4">
        {there.map(({ name: one, label, icon }) => (
          <Tabs.Trigger
            key={one}
            value={one}
            className="flex min-h-11 items-center gap-2 border-b-2 border-transparent px-3 text-sm text-muted -outline-offset-2! hover:text-ink data-[state=active]:border-accent data-[state=active]:font-semibold data-[state=active]:text-ink max-sm:grow max-sm:justify-center"
          >
            {icon}
            {/* X's icon is its name. */}
            <span className={one === 'x' ? 'sr-only' : ''}>{label}</span>
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value={platform} tabIndex={-1} className="flex min-h-0 grow flex-col outline-none">
        {window}
      </Tabs.Content>
    </Tabs.Root>
  );
}
