/**
 * Reads a token as a recipient. Platform ids go before usernames; what the platform shows and what the entity says
 * must agree; bots, roles and mass mentions are refused.
 */
import { looksLikeAddress, readAddress } from './addresses.ts';
import { looksLikeAmount } from './amounts.ts';
import { SMUDGE } from './ignored.ts';
import { type ParseRefusal, type Recipient, refuse } from './result.ts';
import { type Identity, isBotItself, type Scene } from './scene.ts';
import { isBlot, type Token } from './tokens.ts';
import { isDisguised } from './unknownWords.ts';

/** A recipient with all that is known of the person, so that one person under two names is noticed. */
export type ParsedPayee = { recipient: Recipient; identity: Identity; isBot: boolean };

const MASS = /^[@＠]?(?:everyone|here|all|channel)[,.;:!]?$/i;
const USERNAMES = {
  telegram: /^[a-z][a-z0-9_]{0,31}$/,
  discord: /^(?=.*[a-z_])(?!.*\.\.)[a-z0-9_.]{0,31}[a-z0-9_]$/,
  x: /^[a-z0-9_]{1,15}$/,
};
const AMPERSAT_HANDLE = /^([a-z0-9_]{3,30})@ampersat$/;
const DISCORD_USER = /^<@!?([0-9]{1,20})>$/;

/** Whether a token wants to be a recipient, well written or not. */
export function looksLikeRecipient(token: Token): boolean {
  if (token.person !== undefined) return true;
  if (isBlot(token) || /^<a?:\w+:\d+>/.test(token.raw)) return false;
  if (/[@＠]/.test(token.raw)) return true;
  return /^<[#@:&]/.test(token.raw) || (looksLikeAddress(token.raw.replace(/[.,;:!]$/, '')) && !isShortHex(token.raw));
}

/** `0x10` is a figure in another notation; a long one is an address that went wrong. */
function isShortHex(raw: string): boolean {
  return /^0x[0-9a-f]{0,16}$/i.test(raw);
}

function readTextMention(token: Token): ParsedPayee | ParseRefusal {
  const person = token.person;
  if (person?.id === undefined || !/^[.,;:!]?$/.test(token.tail ?? '')) return refuse('recipient_invalid');
  const shown = token.raw.normalize('NFKC');
  const showsName = /[@]/.test(shown);
  if (showsName && shown.toLowerCase() !== `@${person.username ?? ''}`) return refuse('recipient_invalid');
  if (looksLikeAmount({ ...token, person: undefined }) || shown.includes(SMUDGE)) return refuse('recipient_invalid');
  return {
    recipient: { by: 'id', value: person.id },
    identity: { id: person.id, username: person.username },
    isBot: person.isBot,
  };
}

function readDiscordUser(scene: Scene, id: string): ParsedPayee | ParseRefusal {
  const user = scene.entities.users.get(id);
  const isBot = isBotItself(scene, { id });
  // The platform lists every user it resolved; an id outside that list has no user, or stands where a mention does not count.
  if (user === undefined && !isBot) return refuse('recipient_invalid');
  const username = user?.username;
  return { recipient: { by: 'id', value: id }, identity: { id, username }, isBot: isBot || user?.isBot === true };
}

function readUsername(scene: Scene, token: Token, name: string): ParsedPayee | ParseRefusal {
  const { message, entities } = scene;
  const id = entities.ids.get(name);
  const isKnown = id !== undefined;
  if (!USERNAMES[message.platform].test(name)) return refuse('recipient_invalid');
  if (message.platform === 'x' && !isKnown && /^[0-9]+$/.test(name)) return refuse('recipient_invalid');
  const marked = entities.names.get(token.start);
  if (marked !== undefined && marked !== token.start + name.length + 1) return refuse('recipient_invalid');
  // Telegram gives a name with this ending to every bot, and to bots alone.
  const isBot = message.platform === 'telegram' && name.endsWith('bot');
  const recipient: Recipient = isKnown ? { by: 'id', value: id } : { by: 'handle', value: name };
  return { recipient, identity: { id, username: name }, isBot };
}

function readPlain(scene: Scene, token: Token): ParsedPayee | ParseRefusal {
  const typed = (token.plain ?? '').replace(/[,.;:!]$/, '');
  const { platform } = scene.message;
  if (platform === 'discord' && /^<@&[0-9]+>$/.test(typed)) return refuse('role_recipient');
  const user = platform === 'discord' ? DISCORD_USER.exec(typed)?.[1] : undefined;
  if (user !== undefined) return readDiscordUser(scene, user);
  if (looksLikeAddress(typed)) {
    if (token.raw !== token.plain) return refuse('suspicious_unicode');
    const address = readAddress(typed);
    if (typeof address !== 'string') return address;
    return { recipient: { by: 'address', value: address }, identity: { id: `address ${address}` }, isBot: false };
  }
  const lower = typed.toLowerCase();
  const handle = AMPERSAT_HANDLE.exec(lower);
  if (handle !== null) {
    return { recipient: { by: 'handle', value: lower }, identity: { id: `handle ${lower}` }, isBot: false };
  }
  if (!lower.startsWith('@')) return refuse('recipient_invalid');
  // On Discord a name may hold a point, so a point at its end could be part of it.
  if (platform === 'discord' && token.word.endsWith('.')) return refuse('recipient_invalid');
  return readUsername(scene, token, lower.slice(1));
}

/** A name that does not count is not repeated with the signs that hide it. */
function shown(token: Token): string {
  return (token.raw + (token.tail ?? '')).replaceAll(SMUDGE, '');
}

/** A recipient, or why not. Call it for tokens that look like a recipient. */
export function readRecipient(scene: Scene, token: Token): ParsedPayee | ParseRefusal {
  if (token.person === undefined && MASS.test(token.raw.normalize('NFKC'))) return refuse('mass_mention', token.raw);
  const isDressedUp = /[\u{1d400}-\u{1d7ff}]/u.test(token.raw);
  if (token.person === undefined && (token.plain === undefined || isDressedUp)) {
    const isHidden = !token.raw.includes(SMUDGE) && isDisguised(token.raw);
    return isHidden ? refuse('suspicious_unicode', token.raw) : refuse('recipient_invalid', shown(token));
  }
  const payee = token.person === undefined ? readPlain(scene, token) : readTextMention(token);
  if ('refused' in payee) return refuse(payee.refused, shown(token));
  if (payee.isBot || isBotItself(scene, payee.identity)) return refuse('recipient_bot', shown(token));
  return payee;
}

/** The author of the replied-to message, who is paid when the command names no recipient. */
export function readReplyAuthor(scene: Scene): ParsedPayee | ParseRefusal | undefined {
  const author = scene.message.replyTo;
  if (author === undefined) return undefined;
  if (author.isChannel) return refuse('recipient_channel');
  if (author.isBot || isBotItself(scene, author)) return refuse('recipient_bot');
  if (author.id === undefined) return refuse('recipient_invalid');
  return { recipient: { by: 'reply', value: author.id }, identity: author, isBot: false };
}
