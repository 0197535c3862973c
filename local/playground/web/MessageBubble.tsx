// One message in Telegram's layout, with its buttons and actions.
import { CornerUpLeft, ExternalLink, Loader, ScanSearch } from 'lucide-react';
import { clockTime, exactTime } from '../../../web/src/app/format.ts';
import { Avatar } from '../../../web/src/ui/Avatar.tsx';
import { MessageText } from './MessageText.tsx';
import type { ChatMessage, ChatUser, InlineButton } from './telegramApi.ts';

export type BubbleActions = {
  reply(message: ChatMessage): void;
  inspect(message: ChatMessage): void;
  inspectTransaction(message: ChatMessage): void;
  press(message: ChatMessage, data: string): void;
  openDirect(): void;
};

export type BubbleProps = {
  message: ChatMessage;
  own: boolean;
  /** The message above is by the same author. */
  follows: boolean;
  /** The panel shows its trace. */
  selected: boolean;
  /** The pressed button that awaits its answer. */
  pressed: string | null;
  actions: BubbleActions;
};

export function MessageBubble({ message, own, follows, selected, pressed, actions }: BubbleProps) {
  const { from, reply_to_message: answered, reply_markup: markup } = message;
  const rows = markup?.inline_keyboard.filter((row) => row.length > 0) ?? [];
  return (
    <li
      className={`group flex gap-2 px-2 arrives sm:px-4 ${own ? 'flex-row-reverse' : ''} ${follows ? 'pt-1' : 'pt-3'}`}
    >
      {!own && (
        <span className="w-8 shrink-0">{!follows && <Avatar name={nameOf(from)} bot={from?.is_bot ?? false} />}</span>
      )}
      <div className={`flex max-w-[85%] min-w-0 flex-col gap-1 ${own ? 'items-end' : 'items-start'}`}>
        <div
          className={`min-w-0 max-w-full rounded-2xl border px-3 py-2 ${own ? 'rounded-br-sm bg-own' : 'rounded-bl-sm bg-surface'} ${selected ? 'border-accent' : own ? 'border-transparent' : 'border-line'}`}
        >
          {!follows && !own && <p className="text-sm font-semibold text-accent">{nameOf(from)}</p>}
          {answered && (
            <p className="mb-1 truncate border-l-2 border-accent pl-2 text-sm text-muted">
              <span className="font-medium text-accent">{nameOf(answered.from)}</span> {answered.text}
            </p>
          )}
          <div className="flow-root">
            <MessageText message={message} onTransaction={() => actions.inspectTransaction(message)} />
            <span className="float-right mt-1 ml-3 text-sm text-muted amount">
              {message.edit_date !== undefined && 'edited '}
              <time dateTime={new Date(message.date * 1000).toISOString()} title={exactTime(message.date * 1000)}>
                {clockTime(message.date * 1000)}
              </time>
            </span>
          </div>
        </div>
        {rows.map((row) => (
          <div key={keyOf(row[0])} className="flex w-full flex-wrap gap-1">
            {row.map((button) => (
              <KeyboardButton
                key={keyOf(button)}
                button={button}
                busy={pressed !== null && pressed === button.callback_data}
                disabled={pressed !== null}
                onPress={() =>
                  button.callback_data ? actions.press(message, button.callback_data) : actions.openDirect()
                }
              />
            ))}
          </div>
        ))}
      </div>
      <div
        className={`flex shrink-0 items-center gap-0.5 self-center transition-opacity pointer-fine:opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-sm:flex-col ${own ? 'flex-row-reverse' : ''}`}
      >
        <IconButton
          label={`Reply to ${nameOf(from)}: ${message.text ?? ''}`}
          tip="Reply"
          onClick={() => actions.reply(message)}
        >
          <CornerUpLeft aria-hidden="true" className="size-4" />
        </IconButton>
        <IconButton
          label={`What happened: ${message.text ?? ''}`}
          tip="What happened"
          onClick={() => actions.inspect(message)}
        >
          <ScanSearch aria-hidden="true" className="size-4" />
        </IconButton>
      </div>
    </li>
  );
}

function KeyboardButton({
  button,
  busy,
  disabled,
  onPress,
}: {
  button: InlineButton;
  busy: boolean;
  disabled: boolean;
  onPress: () => void;
}) {
  const look =
    'inline-flex min-h-10 grow items-center justify-center gap-2 rounded-lg border border-line bg-surface px-4 text-sm font-medium text-accent transition hover:border-accent disabled:opacity-60';
  // A link to Telegram leads to the direct chat with the bot, a tab of this page.
  if (button.url && !button.url.startsWith('https://t.me/'))
    return (
      <a className={look} href={button.url} target="_blank" rel="noopener noreferrer">
        {button.text} <ExternalLink aria-hidden="true" className="size-4" />
      </a>
    );
  return (
    <button type="button" className={look} disabled={disabled} onClick={onPress}>
      {button.text}
      {busy && <Loader aria-hidden="true" className="size-4 waits" />}
    </button>
  );
}

function IconButton({
  label,
  tip,
  onClick,
  children,
}: {
  label: string;
  tip: string;
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={tip}
      onClick={onClick}
      className="inline-flex size-8 items-center justify-center rounded-full text-muted hover:bg-sunken hover:text-accent"
    >
      {children}
    </button>
  );
}

function keyOf(button: InlineButton | undefined): string {
  return button?.callback_data ?? button?.url ?? '';
}

export function nameOf(user: ChatUser | undefined): string {
  return user?.first_name ?? user?.username ?? 'Someone';
}
