// One message in Discord's layout: author, text, buttons, and whether it is ephemeral.
import { CornerUpLeft, ExternalLink, Eye, Gift, Loader, ScanSearch } from 'lucide-react';
import { clockTime, exactTime } from '../../../../web/src/app/format.ts';
import { Avatar } from '../../../../web/src/ui/Avatar.tsx';
import { DiscordText } from './DiscordText.tsx';
import { type DiscordButton, type DiscordMessage, isThinking } from './discordApi.ts';

export type RowActions = {
  reply(message: DiscordMessage): void;
  inspect(message: DiscordMessage): void;
  inspectTransaction(message: DiscordMessage): void;
  press(message: DiscordMessage, customId: string): void;
  /** Uses the message command; null while the bot has registered none. */
  tipAuthor: ((message: DiscordMessage) => void) | null;
};

export function DiscordMessageRow({
  message,
  command,
  follows,
  selected,
  pressed,
  nameOf,
  actions,
}: {
  message: DiscordMessage;
  /** The command that the message answers, if it was typed in this window: `/tip …`. */
  command: string | null;
  follows: boolean;
  selected: boolean;
  /** The pressed button that awaits its answer. */
  pressed: string | null;
  nameOf: (id: string) => string;
  actions: RowActions;
}) {
  const { author, referenced_message: answered, interaction_metadata: used } = message;
  const at = Date.parse(message.timestamp);
  const isPrivate = message.visible_to !== null;
  const rows = message.components?.filter((row) => row.components.length > 0) ?? [];
  return (
    <li
      className={`group relative px-3 arrives hover:bg-sunken sm:px-4 ${follows ? 'pt-0.5' : 'pt-3'} pb-0.5 ${isPrivate ? 'bg-soft!' : ''} ${selected ? 'shadow-[inset_3px_0_0_var(--accent)]' : ''}`}
    >
      {used && (
        <p className="mb-0.5 truncate pl-12 text-sm text-muted">
          <span className="font-medium text-accent">{nameOf(used.user?.id ?? '')}</span> used{' '}
          {command ? <code className="font-mono">{command}</code> : 'a command'}
        </p>
      )}
      {answered && (
        <p className="mb-0.5 truncate pl-12 text-sm text-muted">
          <CornerUpLeft aria-label="replies to" className="mr-1 inline size-4" />
          <span className="font-medium">{nameOf(answered.author.id)}</span>{' '}
          <DiscordText text={answered.content} nameOf={nameOf} onTransaction={() => {}} />
        </p>
      )}
      <div className="flex gap-3">
        <span className="w-9 shrink-0 pt-0.5">
          {!follows && <Avatar name={nameOf(author.id)} bot={author.bot === true} size="large" />}
        </span>
        <div className="min-w-0 grow">
          <span className="float-right -mt-1 ml-2 flex transition-opacity pointer-fine:opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
            {!author.bot && actions.tipAuthor && (
              <IconButton
                label={`Tip ${nameOf(author.id)} for: ${message.content}`}
                tip="Tip author"
                onClick={() => actions.tipAuthor?.(message)}
              >
                <Gift aria-hidden="true" className="size-4" />
              </IconButton>
            )}
            {!isPrivate && (
              <IconButton
                label={`Reply to ${nameOf(author.id)}: ${message.content}`}
                tip="Reply"
                onClick={() => actions.reply(message)}
              >
                <CornerUpLeft aria-hidden="true" className="size-4" />
              </IconButton>
            )}
            <IconButton
              label={`What happened: ${message.content}`}
              tip="What happened"
              onClick={() => actions.inspect(message)}
            >
              <ScanSearch aria-hidden="true" className="size-4" />
            </IconButton>
          </span>
          {!follows && (
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-semibold">{nameOf(author.id)}</span>
              {author.bot && (
                <span className="self-center rounded-sm bg-accent px-1 text-sm/4 font-semibold text-on-accent">
                  App
                </span>
              )}
              <time dateTime={message.timestamp} title={exactTime(at)} className="text-sm text-muted amount">
                {clockTime(at)}
              </time>
            </p>
          )}
          <div className="min-w-0">
            {isThinking(message) ? (
              <span className="text-muted waits">Ampersat is thinking…</span>
            ) : (
              <DiscordText
                text={message.content}
                nameOf={nameOf}
                onTransaction={() => actions.inspectTransaction(message)}
              />
            )}
            {message.edited && <span className="ml-1 text-sm text-muted">(edited)</span>}
          </div>
          {rows.map((row) => (
            <div key={keyOf(row.components[0])} className="flex flex-wrap gap-2 pt-1">
              {row.components.map((button) => (
                <RowButton
                  key={keyOf(button)}
                  button={button}
                  busy={pressed !== null && pressed === button.custom_id}
                  disabled={pressed !== null || button.disabled === true}
                  onPress={() => button.custom_id && actions.press(message, button.custom_id)}
                />
              ))}
            </div>
          ))}
          {isPrivate && (
            <p className="flex items-center gap-1 text-sm text-muted">
              <Eye aria-hidden="true" className="size-4" />
              Only you see this
            </p>
          )}
        </div>
      </div>
    </li>
  );
}

/** By Discord’s button style; the others are outlined. */
const STYLES: Record<number, string> = {
  1: 'bg-accent text-on-accent',
  3: 'bg-accent text-on-accent',
  4: 'border border-brick text-brick',
};

function RowButton({
  button,
  busy,
  disabled,
  onPress,
}: {
  button: DiscordButton;
  busy: boolean;
  disabled: boolean;
  onPress: () => void;
}) {
  const look = `inline-flex min-h-9 items-center gap-2 rounded-lg px-3 text-sm font-medium transition hover:opacity-90 disabled:opacity-60 ${STYLES[button.style] ?? 'border border-edge text-ink'}`;
  if (button.url)
    return (
      <a className={look} href={button.url} target="_blank" rel="noopener noreferrer">
        {button.label} <ExternalLink aria-hidden="true" className="size-4" />
      </a>
    );
  return (
    <button type="button" className={look} disabled={disabled} onClick={onPress}>
      {button.label}
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
      className="inline-flex size-8 items-center justify-center rounded-lg text-muted hover:bg-line hover:text-accent"
    >
      {children}
    </button>
  );
}

function keyOf(button: DiscordButton | undefined): string {
  return button?.custom_id ?? button?.url ?? '';
}
