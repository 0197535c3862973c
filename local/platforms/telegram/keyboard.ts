/** Reads inline keyboards and refuses what Telegram refuses in them. */
import { type Button, badRequest, type Markup } from './wire.ts';

const MAX_DATA_BYTES = 64;
/** Ways to press a button other than data and URL; they are kept and shown, not acted on. */
const OTHER_KINDS = [
  'web_app',
  'login_url',
  'switch_inline_query',
  'switch_inline_query_current_chat',
  'switch_inline_query_chosen_chat',
  'copy_text',
  'callback_game',
  'pay',
];

/** The keyboard under a message; undefined for none, an empty one, or another kind of markup. */
export function readMarkup(value: unknown): Markup | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) throw badRequest('object expected as reply markup');
  const rows = (value as { inline_keyboard?: unknown }).inline_keyboard;
  if (rows === undefined) return undefined;
  if (!Array.isArray(rows))
    throw badRequest('can\'t parse reply markup: field "inline_keyboard" must be of type Array');
  const keyboard = rows
    .map((row) => {
      if (!Array.isArray(row)) throw badRequest("can't parse inline keyboard: expected an Array of Arrays of buttons");
      return row.map(readButton);
    })
    .filter((row) => row.length > 0);
  return keyboard.length > 0 ? { inline_keyboard: keyboard } : undefined;
}

function readButton(value: unknown): Button {
  const button = value as Partial<Button> | null;
  if (typeof button !== 'object' || button === null) {
    throw badRequest("can't parse inline keyboard button: InlineKeyboardButton must be an Object");
  }
  const { text } = button;
  if (typeof text !== 'string' || text === '') {
    throw badRequest('can\'t parse inline keyboard button: Can\'t find field "text"');
  }
  if (button.url !== undefined) {
    const problem = whyBadUrl(button.url);
    if (problem) throw badRequest(`inline keyboard button URL '${button.url}' is invalid: ${problem}`);
    return { text, url: button.url };
  }
  if (button.callback_data !== undefined) {
    const bytes = Buffer.byteLength(String(button.callback_data));
    if (bytes === 0 || bytes > MAX_DATA_BYTES) throw badRequest('BUTTON_DATA_INVALID');
    return { text, callback_data: String(button.callback_data) };
  }
  const kind = OTHER_KINDS.find((name) => button[name] !== undefined);
  if (!kind) throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
  return { text, [kind]: button[kind] };
}

/** Telegram takes only links that could stand on the internet: `localhost` has no dot and is none. */
export function whyBadUrl(text: string): string | undefined {
  try {
    const url = new URL(text);
    if (!['http:', 'https:', 'tg:', 'ton:'].includes(url.protocol)) return 'Unsupported URL protocol';
    if (url.protocol.startsWith('http') && !url.hostname.includes('.') && !url.hostname.includes(':'))
      return 'Wrong HTTP URL';
    return undefined;
  } catch {
    return 'URL host is empty';
  }
}
