// One chat of the tour, whichever platform it is on: people write, the bot answers, a button (or a word) says yes.
import type { Person } from '../stack/people.ts';
import { check, until } from './tour.ts';

export type Button = { label: string; token?: string | undefined; url?: string | undefined };
export type Said = { id: string; text: string; buttons: Button[] };
/** A written message: its id, and where the answers to it stand. */
export type Written = { id: string; thread: string };

export type Chat = {
  name: 'Telegram' | 'Discord' | 'X';
  /** A command as it is addressed to the bot there. */
  command(text: string): string;
  /** How a message mentions a person there. */
  at(who: Person): string;
  /** Writes where everybody reads it. */
  write(who: Person, text: string, replyTo?: string): Promise<Written>;
  /** What the bot says to this, oldest first. */
  answers(to: Written): Promise<Said[]>;
  /** Says yes to a question of the bot. */
  agree(who: Person, question: Said): Promise<void>;
  /** Asks for a link in private. @returns its address */
  askForLink(who: Person): Promise<string>;
  /** Agrees in private, once the link was redeemed. @returns what the bot says then */
  confirmLink(who: Person): Promise<string>;
};

const NOT_YET = '⏳';
const NOT_FINAL = /confirming|wird auf .* bestätigt/;

/** Waits for the answer that fits. */
export function answered(chat: Chat, to: Written, fits: (said: Said) => boolean): Promise<Said> {
  let last: Said[] = [];
  return until(
    'the bot’s answer',
    async () => {
      last = await chat.answers(to);
      return last.findLast(fits);
    },
    () => `on ${chat.name}; it said: ${last.map(({ text }) => text).join(' | ') || 'nothing'}`,
  );
}

/** Money is on the chain: in a wallet, or waiting. */
export const isReceipt = ({ text }: Said) => /[✅🎁]/u.test(text) && !text.includes(NOT_YET);

/** Yes and no: a notice has one button that is pressed. */
export const isChoice = (buttons: Button[]) => buttons.filter(({ token }) => token !== undefined).length === 2;

/** Whether to send it. */
export const isQuestion = ({ text }: Said) => /\bsend [^?]*\?/i.test(text);

/** The receipt once its block is final. @throws Error when there is more than one */
export async function finalReceipt(chat: Chat, to: Written): Promise<Said> {
  const receipt = await answered(chat, to, (said) => isReceipt(said) && !NOT_FINAL.test(said.text));
  const all = (await chat.answers(to)).filter(isReceipt);
  check(all.length === 1, `there is one receipt on ${chat.name}: ${all.map(({ text }) => text).join(' | ')}`);
  return receipt;
}

export async function callJson<T>(url: string, body?: object): Promise<T> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, { ...(body ? post : {}), signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
