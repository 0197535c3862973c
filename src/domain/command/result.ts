/** The words of an answer: what one message asks for, as every adapter, service and the command line see it. */

export type Platform = 'telegram' | 'discord' | 'x';

export type MoneyVerb = 'tip' | 'send' | 'split';

export type PlainVerb =
  | 'connect'
  | 'help'
  | 'balance'
  | 'history'
  | 'limits'
  | 'pause'
  | 'disconnect'
  | 'react'
  | 'leaderboard'
  | 'subscriptions'
  | 'plan'
  | 'me'
  | 'deposit'
  | 'withdraw';

export type Unit = 'USDC' | 'USD' | 'ETH' | 'BNB' | 'CELO' | 'SOL';

/**
 * `id`: a platform user id. `reply`: the platform user id of the replied-to author. `address`: a chain address, EVM ones in
 * checksum case. `handle`: a bare lower-case name is a username of the platform; `name@ampersat` is an Ampersat handle.
 */
export type Recipient = { by: 'id' | 'handle' | 'reply' | 'address'; value: string };

export type CommandCode =
  | 'input_invalid'
  | 'unknown_command'
  | 'multiple_commands'
  | 'amount_missing'
  | 'amount_invalid'
  | 'amount_ambiguous'
  | 'amount_zero'
  | 'amount_too_small'
  | 'amount_too_large'
  | 'too_many_decimals'
  | 'recipient_missing'
  | 'recipient_invalid'
  | 'recipient_self'
  | 'recipient_bot'
  | 'mass_mention'
  | 'role_recipient'
  | 'too_many_recipients'
  | 'unsupported_token'
  | 'unsupported_currency'
  | 'unsupported_chain'
  | 'address_checksum'
  | 'split_mismatch'
  /** A split with one person. */
  | 'split_too_few'
  /** `tip` or `split` with a chain address: `send` takes one. */
  | 'address_in_tip'
  /** An address of another family of chains than the chain that was typed. */
  | 'address_other_family'
  /** A name that ends in `.eth`. */
  | 'ens_unsupported'
  /** A reply to a channel's post or to an anonymous administrator. */
  | 'recipient_channel'
  /** `tip him 5` in a reply, where `tip 5` is enough. */
  | 'recipient_pronoun'
  /** A command that a page does instead; `word` is its name. */
  | 'use_page'
  | 'suspicious_unicode'
  /** An order without a figure, and one that names a recipient: anyone with its link pays it. */
  | 'order_amount_missing'
  | 'order_recipient'
  /** Not of the parser: an adapter's word for a post that was changed before it was first read. */
  | 'post_edited';

/** Fields that a kind of answer does not have: named, so that a reader may ask any answer for any field. */
type Without<K extends string> = { [P in K]?: undefined };

/** `amount` is what each recipient gets, a decimal string without trailing zeros. `skipped` is the sender, dropped. */
export type TransferCommand = {
  kind: 'tip' | 'send';
  recipients: Recipient[];
  amount: string;
  unit: Unit;
  mode: 'each';
  chain?: string;
  memo?: string;
  skipped?: Recipient[];
} & Without<'total' | 'shares_micro' | 'code'>;

/** `shares_micro` are the parts in millionths of the unit, in the order of `recipients`; they add up to `total` exactly. */
export type SplitCommand = {
  kind: 'split';
  recipients: Recipient[];
  unit: Unit;
  mode: 'even' | 'custom';
  chain?: string;
  memo?: string;
  total: string;
  shares_micro: number[];
} & Without<'amount' | 'skipped' | 'code'>;

/** A request for money, by the sender of the command: it moves none. `amount` is a decimal string without trailing zeros. */
export type OrderCommand = {
  kind: 'order';
  amount: string;
  unit: Unit;
  chain?: string;
  memo?: string;
} & Without<'recipients' | 'mode' | 'total' | 'shares_micro' | 'skipped' | 'code'>;

/** Why a command is shown to its sender before it is sent: what in the message is not a plain command. */
export type ConfirmReason =
  | 'note_unclear'
  | 'conditional'
  | 'other_amount'
  | 'other_recipient'
  | 'sentence'
  | 'separator';

/** A command that is in doubt: `intent` is sent only after its sender agrees to exactly that. */
export type ConfirmCommand = {
  kind: 'confirm';
  intent: TransferCommand | SplitCommand;
  because: ConfirmReason;
} & Without<MoneyFields | 'code'>;

type MoneyFields = 'recipients' | 'amount' | 'unit' | 'mode' | 'chain' | 'memo' | 'total' | 'shares_micro' | 'skipped';

/**
 * `word` is where reading stopped, as typed. `chain` is set where `word` is an asset that this chain does not have. `suggestion` is what was
 * probably meant: it may be offered, never sent unasked.
 */
export type ErrorCommand = {
  kind: 'error';
  code: CommandCode;
  word?: string;
  chain?: string;
  suggestion?: TransferCommand | SplitCommand;
} & Without<Exclude<MoneyFields, 'chain'>>;

type PlainCommand = { kind: PlainVerb | 'none' } & Without<MoneyFields | 'code'>;

export type Command = TransferCommand | SplitCommand | ConfirmCommand | OrderCommand | ErrorCommand | PlainCommand;

/** A refusal inside the parser: a code for the sender, or `help` where the message is no order at all. */
export type ParseRefusal = { refused: CommandCode | 'help'; word?: string; chain?: string };

const MAX_WORD = 40;

/** @param word where reading stopped, as typed; cut to 40 signs */
export function refuse(refused: CommandCode | 'help', word?: string, chain?: string): ParseRefusal {
  const shown = word === undefined || word === '' ? {} : { word: Array.from(word).slice(0, MAX_WORD).join('') };
  return { refused, ...shown, ...(chain === undefined ? {} : { chain }) };
}

export function isRefusal(value: object): value is ParseRefusal {
  return 'refused' in value;
}

export function failure(code: CommandCode, word?: string): ErrorCommand {
  return { kind: 'error', code, ...(word === undefined ? {} : { word }) };
}
