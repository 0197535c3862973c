/**
 * Reads figures. A figure is digits with at most one decimal sign and well-formed groups; whatever else a figure could mean is
 * refused by name. Values are exact: a mantissa and a power of ten, never a float.
 */
import { type CommandCode, type ParseRefusal, refuse, type Unit } from './result.ts';
import type { Token } from './tokens.ts';
import { MULTIPLIERS, OTHER_CURRENCIES, OTHER_TOKENS, UNITS, unitNamed } from './words.ts';

/** mantissa × 10^-scale */
export type Decimal = { mantissa: bigint; scale: number };

export type Amount = {
  value: Decimal;
  unit: Unit | undefined;
  isPercent: boolean;
  /** A comma, a semicolon or a colon stood behind it: what follows is a note. */
  isClosed?: true;
};

/** Fractional digits that a unit has. One USDC counts as one USD, so USD has as many. */
const DECIMALS: Record<Unit, number> = { USDC: 6, USD: 6, ETH: 18, BNB: 18, CELO: 18, SOL: 9 };
const MICRO = 6;
/** 0.01 to 1,000,000. The lower bound is for dollar units only: a native amount's value is not known here. */
const MIN_MICRO = 10_000n;
const MAX_WHOLE = 1_000_000n;
const MAX_FIGURE = 64;

const FRACTIONS = /[\u00bc-\u00be\u2044\u2150-\u215f\u2189]/;
const FIGURE = /^(\$?)(\.?[0-9][0-9.,]*)(.*)$/;
const AMOUNT_LIKE = /^(?:[\p{Sc}+\-−–~≈≃<>=≤≥±.,]*\p{N}|\p{Sc}|[+−]|∞|[.,]*%|\p{L}{1,3}[$€£])/u;
/** `<3` is a heart. */
const HEART = /^<\/?3+$/;
const HEX = /^[+-]?0[xbo]/;

/** Whether a token wants to be a figure, well written or not: it starts like one, or it is nothing but a sign for one. */
export function looksLikeAmount(token: Token): boolean {
  return token.person === undefined && AMOUNT_LIKE.test(token.raw) && !HEART.test(token.word);
}

/** Whether a token has a figure anywhere in it. */
export function hasFigure(token: Token): boolean {
  return token.person === undefined && /\p{N}/u.test(token.raw);
}

function isGrouped(whole: string, separator: string): boolean {
  const [first = '', ...rest] = whole.split(separator);
  return /^[1-9][0-9]{0,2}$/.test(first) && rest.length > 0 && rest.every((group) => /^[0-9]{3}$/.test(group));
}

/** A figure in canonical notation with a point, or the reason why it is none. */
function readNotation(figure: string): string | ParseRefusal {
  const points = figure.split('.').length - 1;
  const commas = figure.split(',').length - 1;
  if (points === 0 && commas === 0) return figure;
  const decimalSign = figure.lastIndexOf('.') > figure.lastIndexOf(',') ? '.' : ',';
  const cutAt = figure.lastIndexOf(decimalSign);
  const whole = figure.slice(0, cutAt);
  const fraction = figure.slice(cutAt + 1);
  if (!/^[0-9]+$/.test(fraction)) return refuse('amount_invalid');
  if (points > 0 && commas > 0) {
    return isGrouped(whole, decimalSign === '.' ? ',' : '.')
      ? `${whole.replace(/[.,]/g, '')}.${fraction}`
      : refuse('amount_invalid');
  }
  if (points + commas > 1) {
    return isGrouped(figure, decimalSign) ? figure.replace(/[.,]/g, '') : refuse('amount_invalid');
  }
  if (whole === '' && decimalSign === ',') return refuse('amount_invalid');
  if (decimalSign === ',' && fraction.length === 3) return refuse('amount_ambiguous');
  // Four decimals or more that end in a zero look like a group gone wrong: `1,5000`. A comma behind a zero ends no group.
  const isBroken = decimalSign === ',' && fraction.length > 3 && fraction.endsWith('0') && !/^0+$/.test(whole);
  return isBroken ? refuse('amount_invalid') : `${whole}.${fraction}`;
}

function toDecimal(notation: string, shift: number): Decimal {
  const [whole = '', fraction = ''] = notation.split('.');
  const scale = fraction.length - shift;
  const mantissa = BigInt(whole + fraction);
  return scale >= 0 ? { mantissa, scale } : { mantissa: mantissa * 10n ** BigInt(-scale), scale: 0 };
}

type Suffix = { shift: number; unit: Unit | undefined; isPercent: boolean };

function readSuffix(suffix: string): Suffix | ParseRefusal {
  if (suffix === '') return { shift: 0, unit: undefined, isPercent: false };
  if (suffix === '%') return { shift: 0, unit: undefined, isPercent: true };
  if (suffix === 'k' || suffix === 'k$')
    return { shift: 3, unit: suffix === 'k' ? undefined : 'USD', isPercent: false };
  if (suffix === 'm' || suffix === 'm$')
    return { shift: 6, unit: suffix === 'm' ? undefined : 'USD', isPercent: false };
  const unit = UNITS.get(suffix);
  if (unit !== undefined) return { ...unit, isPercent: false };
  if (MULTIPLIERS.has(suffix)) return refuse('amount_invalid');
  if (OTHER_TOKENS.has(suffix)) return refuse('unsupported_token');
  return refuse(OTHER_CURRENCIES.has(suffix) ? 'unsupported_currency' : 'amount_invalid');
}

function refuseNonAscii(raw: string): ParseRefusal {
  if (FRACTIONS.test(raw)) return refuse('amount_invalid');
  if (/₿/.test(raw)) return refuse('unsupported_token');
  if (/(?![$¢＄￠])\p{Sc}/u.test(raw)) return refuse('unsupported_currency');
  return refuse(/[\p{Cf}\p{Cc}\p{Co}\p{Cn}]/u.test(raw) ? 'suspicious_unicode' : 'amount_invalid');
}

/**
 * Reads `5`, `.5`, `1,000.50`, `$5`, `US$5`, `5k`, `50c`, `5usdc`, `60%`, `5!`. The value is in whole units of the unit, or in percent.
 */
export function readAmount(token: Token): Amount | ParseRefusal {
  const amount = readFigure(token);
  return 'refused' in amount ? { ...refuse(amount.refused, token.raw) } : amount;
}

/** `5!`, `5.` and `5,` end a sentence or a part of it. */
const ENDING = /(?<=[0-9a-z$¢%])(?:[.,;:]|!{1,3})$/;

function readFigure(token: Token): Amount | ParseRefusal {
  if (token.plain === undefined) return refuseNonAscii(token.raw);
  const ending = ENDING.exec(token.word)?.[0] ?? '';
  const typed = token.word.slice(0, token.word.length - ending.length).replace(/^us\$/, '$');
  const isClosed = /[,;:]/.test(ending) ? { isClosed: true as const } : {};
  if (HEX.test(typed)) return refuse('amount_invalid');
  const foreign = /^[a-z]{0,3}[$]/.exec(typed)?.[0] ?? '$';
  if (foreign !== '$') return refuse('unsupported_currency');
  const match = FIGURE.exec(typed);
  if (match === null) return refuse('amount_invalid');
  const [, dollar = '', figure = '', rest = ''] = match;
  if (figure.length > MAX_FIGURE) return refuse(/^[0-9]+$/.test(figure) ? 'amount_too_large' : 'amount_invalid');
  const suffix = readSuffix(rest);
  if ('refused' in suffix) return suffix;
  if (dollar !== '' && (suffix.isPercent || suffix.shift < 0)) return refuse('amount_invalid');
  if (dollar !== '' && suffix.unit === 'USD') return refuse('amount_invalid');
  if (dollar !== '' && suffix.unit !== undefined && suffix.unit !== 'USDC') return refuse('amount_ambiguous');
  const notation = readNotation(figure);
  if (typeof notation !== 'string') return notation;
  const unit = suffix.unit ?? (dollar === '' ? undefined : 'USD');
  return { value: toDecimal(notation, suffix.shift), unit, isPercent: suffix.isPercent, ...isClosed };
}

/** Gives an amount the unit word beside it: `5 usdc`, `$5 usdc`, `50 cents`, `USDC 5`. Two units that disagree are refused. */
export function withUnit(amount: Amount, word: string): Amount | ParseRefusal {
  const next = unitNamed(word);
  if (next === undefined || amount.isPercent) return refuse('amount_invalid', word);
  const isSame = amount.unit === next.unit && next.shift === 0;
  const isDollar = amount.unit === 'USD' && next.shift === 0 && (next.unit === 'USD' || next.unit === 'USDC');
  if (amount.unit !== undefined && !isSame && !isDollar) return refuse('amount_ambiguous', word);
  const { mantissa, scale } = amount.value;
  return { ...amount, unit: next.unit, value: { mantissa, scale: scale - next.shift } };
}

/** The reason why a value is no amount of a unit: zero, too many decimals, out of the range of one payment. */
export function checkValue(value: Decimal, unit: Unit): CommandCode | undefined {
  if (value.mantissa === 0n) return 'amount_zero';
  if (value.scale > DECIMALS[unit]) return 'too_many_decimals';
  if (value.mantissa > MAX_WHOLE * 10n ** BigInt(value.scale)) return 'amount_too_large';
  const isDollar = unit === 'USDC' || unit === 'USD';
  return isDollar && toMicro(value) < MIN_MICRO ? 'amount_too_small' : undefined;
}

/** Whether a value has millionths at most: what a split is counted in. */
export function isMicroExact(value: Decimal): boolean {
  return value.scale <= MICRO || value.mantissa % 10n ** BigInt(value.scale - MICRO) === 0n;
}

/** Millionths, rounded down. */
export function toMicro({ mantissa, scale }: Decimal): bigint {
  return scale <= MICRO ? mantissa * 10n ** BigInt(MICRO - scale) : mantissa / 10n ** BigInt(scale - MICRO);
}

export function fromMicro(micro: bigint): Decimal {
  return { mantissa: micro, scale: MICRO };
}

/** The canonical decimal string: no trailing zeros, no point without a digit behind it. */
export function formatDecimal({ mantissa, scale }: Decimal): string {
  const digits = mantissa.toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
