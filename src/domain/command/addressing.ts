/**
 * Decides whether a message speaks to the bot at all, and takes off what only does that: the leading mentions that X adds to
 * a reply, and the mention of the bot itself.
 */
import { sliceByCodePoints, unescapeHtml } from './entities.ts';
import { isBotItself, type Scene } from './scene.ts';
import { isBlot, type Token } from './tokens.ts';

export type Addressing = {
  /** What is said to the bot, without the mention in front of it. */
  tokens: Token[];
  /** The bot is named, but not in front: only a mention right behind a whole command counts as speaking to it. */
  isNamedLater: boolean;
  /** The first mentions may be the platform's own, or code before them on their line had the verb: nothing may be read out of them alone. */
  needsVerb: boolean;
};

const SLASH = /^\/[a-z0-9_]+(?:@([a-z0-9_]+))?$/i;

export function isBotMention(scene: Scene, token: Token | undefined): boolean {
  if (token === undefined) return false;
  const { platform } = scene.message;
  if (token.person !== undefined) return isBotItself(scene, { id: token.person.id });
  // On X a point in front shows a post to all followers.
  const typed = token.word.replace(/[,:!]$/, '').replace(platform === 'x' ? /^\.(?=@)/ : /^(?!)/, '');
  if (platform === 'discord') {
    const id = /^<@!?([0-9]{1,20})>$/.exec(typed)?.[1];
    return id !== undefined && isBotItself(scene, { id });
  }
  if (!typed.startsWith('@')) return false;
  const username = typed.slice(1);
  return isBotItself(scene, { username, id: scene.entities.ids.get(username) });
}

/** A mention of the bot that something is glued to: enough to be spoken to, not enough to be given an order. */
function namesBot(scene: Scene, text: string): boolean {
  const { platform, bot } = scene.message;
  const needle = platform === 'discord' ? bot.id : bot.username;
  if (needle === undefined) return false;
  if (platform === 'discord') return text.includes(`<@${needle}>`) || text.includes(`<@!${needle}>`);
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(`@${needle}`); at !== -1; at = lower.indexOf(`@${needle}`, at + 1)) {
    const before = lower[at - 1] ?? ' ';
    const after = lower[at + needle.length + 1] ?? ' ';
    if (!/[\w@/]/.test(before) && !/\w/.test(after)) return true;
  }
  return false;
}

function isMention(token: Token): boolean {
  return /^@\w+$/.test(token.plain ?? '');
}

type Visible = { tokens: Token[]; text: string; needsVerb: boolean };

/** What is left of an X post without the mentions that the platform put before it. */
function cutContext(scene: Scene, tokens: Token[], text: string): Visible | 'broken' {
  const { message } = scene;
  if (message.platform !== 'x' || message.isDirect) return { tokens, text, needsVerb: false };
  if (message.visibleFrom === 'invalid') return 'broken';
  if (message.visibleFrom !== undefined) {
    if (
      sliceByCodePoints(message.text, message.visibleFrom - 1, message.visibleFrom) === '' &&
      message.visibleFrom > 0
    ) {
      return 'broken';
    }
    const from = unescapeHtml(sliceByCodePoints(message.text, 0, message.visibleFrom)).length;
    const hidden = tokens.filter((token) => token.start < from);
    if (hidden.some((token) => !isMention(token) || token.start + token.raw.length > from)) return 'broken';
    return { tokens: tokens.slice(hidden.length), text: text.slice(from), needsVerb: false };
  }
  if (message.replyTo === undefined) return { tokens, text, needsVerb: false };
  // A reply without the range: the first mentions may be the platform's, up to the one of the bot, and that one, too, under its own post.
  const others = tokens.findIndex((token) => !isMention(token));
  const run = tokens.slice(0, others === -1 ? tokens.length : others);
  const atBot = run.findIndex((token) => isBotMention(scene, token));
  if (atBot === -1) return { tokens, text, needsVerb: true };
  const skipped = isBotItself(scene, message.replyTo) ? run.length : atBot;
  const from = tokens[skipped]?.start ?? text.length;
  const author = message.replyTo.username;
  // The platform's own mentions begin with the author who is answered; others were typed, and may be meant.
  if (skipped > 0 && author !== undefined && tokens[0]?.word !== `@${author}`) return 'broken';
  return { tokens: tokens.slice(skipped), text: text.slice(from), needsVerb: true };
}

/** The part that speaks to the bot; `silent` when nothing does, `broken` when the platform's ranges do not fit the text. */
export function findAddress(scene: Scene, all: Token[], text: string): Addressing | 'silent' | 'broken' {
  const { message } = scene;
  const visible = cutContext(scene, all, text);
  if (visible === 'broken') return namesBot(scene, text) ? 'broken' : 'silent';
  const spoken = visible.tokens.findIndex((token) => !isBlot(token));
  if (spoken === -1) return 'silent';
  const tokens = visible.tokens.slice(spoken);
  const first = tokens[0];
  const slash = message.platform === 'x' && !message.isDirect ? null : SLASH.exec(first?.raw ?? '');
  const otherBot = slash?.[1];
  if (otherBot !== undefined && otherBot.toLowerCase() !== message.bot.username) return 'silent';
  const isInFront = isBotMention(scene, first);
  const isNamed = isInFront || tokens.some((token) => isBotMention(scene, token)) || namesBot(scene, visible.text);
  const isSpokenTo = message.isDirect || message.isGuest || slash !== null;
  if (!isSpokenTo && !isNamed) return 'silent';
  return {
    tokens: isInFront ? tokens.slice(1) : tokens,
    isNamedLater: !isSpokenTo && !isInFront,
    needsVerb: visible.needsVerb || (spoken > 0 && !isInFront && first?.startsLine !== true),
  };
}
