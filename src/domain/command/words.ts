/** The vocabulary of commands: verbs, units, other money, figures in words. */
import type { MoneyVerb, PlainVerb, Unit } from './result.ts';

export const MONEY_VERBS: ReadonlySet<string> = new Set<MoneyVerb>(['tip', 'send', 'split']);

/** Verbs that mean `send`. Other bots have slash commands of these names, so behind a slash they are ours only where we are named. */
export const SEND_VERBS: ReadonlySet<string> = new Set(['pay', 'give']);

/** What people expect of a bot and a page does. */
export const PAGE_COMMANDS: ReadonlySet<string> = new Set(['resume', 'refund', 'settings']);

export const PLAIN_VERBS: ReadonlySet<string> = new Set<PlainVerb>([
  'connect',
  'help',
  'balance',
  'history',
  'limits',
  'pause',
  'disconnect',
  'react',
  'leaderboard',
  'subscriptions',
]);

/** The form of a plan: only behind a slash, for `plan` is a word of every chat. */
export const PLAN_COMMAND = 'plan';
/** One’s own page: behind a slash, or alone. `me` is a word of every sentence. */
export const ME_COMMAND = 'me';
/** The pages on which money comes in and goes out: behind a slash, or alone. Other bots have commands of these names. */
export const MONEY_PAGES = ['deposit', 'withdraw'] as const;
export type MoneyPage = (typeof MONEY_PAGES)[number];
/** Other names of `subscriptions` behind a slash. */
export const SUBSCRIPTIONS_COMMANDS: ReadonlySet<string> = new Set(['subs', 'subscription']);

/** Asks for money instead of moving it. */
export const ORDER_VERB = 'order';

function list(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter((word) => word !== ''));
}

/** A unit word, and the power of ten by which it lifts the figure before it. */
export const UNITS: ReadonlyMap<string, { unit: Unit; shift: number }> = new Map([
  ['usdc', { unit: 'USDC', shift: 0 }],
  ['usd', { unit: 'USD', shift: 0 }],
  ['$', { unit: 'USD', shift: 0 }],
  ['dollar', { unit: 'USD', shift: 0 }],
  ['dollars', { unit: 'USD', shift: 0 }],
  ['buck', { unit: 'USD', shift: 0 }],
  ['bucks', { unit: 'USD', shift: 0 }],
  ['c', { unit: 'USD', shift: -2 }],
  ['¢', { unit: 'USD', shift: -2 }],
  ['cent', { unit: 'USD', shift: -2 }],
  ['cents', { unit: 'USD', shift: -2 }],
  ['eth', { unit: 'ETH', shift: 0 }],
  ['bnb', { unit: 'BNB', shift: 0 }],
  ['celo', { unit: 'CELO', shift: 0 }],
  ['sol', { unit: 'SOL', shift: 0 }],
]);

/** The unit that a word names; a ticker may have a dollar sign in front: `$USDC`. */
export function unitNamed(word: string): { unit: Unit; shift: number } | undefined {
  const ticker = /^\$(usdc|usd|eth|bnb|celo|sol)$/.exec(word)?.[1];
  return UNITS.get(ticker ?? (word === 'us$' ? '$' : word));
}

/** Other coins, and what chats count in: a figure before one of these is not an amount of ours. */
export const OTHER_TOKENS = list(`
  usdt usdt0 tether dai btc bitcoin bitcoins xbt wbtc cbbtc tbtc sat sats satoshi satoshis weth steth wsteth cbeth reth eeth
  ether ethers ethereum wei gwei finney solana lamport lamports binance wbnb wsol matic pol polygon avax xrp ripple ada cardano
  doge dogecoin shib pepe bonk wif trump floki ltc litecoin bch etc xlm xmr trx tron dot ksm atom near ton toncoin ftm apt sui
  sei arb op link uni aave mkr ldo crv ena jup pyth ray fil icp hbar algo vet xtz eos neo dash zec kas tao hype pump ink
  eurc euroc pyusd usde susde fdusd tusd busd usdp gusd frax lusd susd usdd usds usdb usdbc usdc.e crvusd gho dola mim ust
  cusd ceur creal usdm usdy rlusd usd1 usdg eure xaut paxg degen higher brett aero virtual zora
  star stars point points pts coin coins token tokens credit credits gem gems gold robux xp karma
`);

export const OTHER_CURRENCIES = list(`
  eur euro euros gbp pound pounds quid sterling pence penny pennies chf franc francs rappen yen jpy cny rmb yuan inr rupee
  rupees krw won brl real reais mxn peso pesos cad aud nzd sgd hkd twd try lira rub ruble rubles rouble roubles uah hryvnia pln zloty
  sek nok dkk krona kronor krone kroner czk koruna huf forint ron zar rand ngn naira kes ghs cedi ars cop clp pen php idr
  rupiah thb baht vnd dong aed dirham dirhams sar riyal ils shekel shekels myr ringgit pkr bdt egp mad xof xaf
  руб рубль рубля рублей доллар доллара долларов баксов евро гривен гривна грн тенге 元 块 圆 円 원 บาท يورو دولار ريال
`);

/** Words that would multiply or measure the figure before them. */
export const MULTIPLIERS = list(`
  k m b bn c % percent pct x times hundred hundreds thousand thousands grand million millions mil mill mln billion billions
  trillion lakh crore dozen dozens pair half halves quarter quarters dime dimes nickel nickels second seconds sec secs minute minutes min mins hour
  hours hr hrs h day days week weeks month months year years yr yrs am pm o'clock people persons ppl guys users
  digits figures stacks stack racks rack
`);

/** What people write for a figure: never one for us. */
export const NUMBER_WORDS = list(`
  a an zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half quarter third dozen couple
  few some all max maximum everything nothing none any most more much lot lots many infinity nan inf
  ein eins eine einen zwei drei vier fünf fuenf sechs sieben acht neun zehn elf zwölf zwoelf zwanzig dreißig fünfzig hundert tausend
  alles nichts viel paar halb
  uno una dos tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cincuenta cien ciento mil todo nada mucho
  un deux trois quatre cinq huit neuf dix vingt cent mille
`);

/** Figures in words that stand for one number only: behind an amount they are another amount. */
export const NUMERALS = list(`
  two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
  twenty thirty forty fifty sixty seventy eighty ninety hundred thousand double triple twice
  zwei drei vier fünf fuenf sechs sieben acht neun zehn elf zwölf zwoelf zwanzig dreißig vierzig fünfzig hundert tausend doppelt
  dos tres cuatro cinco seis siete ocho nueve diez doce veinte treinta cuarenta cincuenta cien mil doble
  deux trois quatre cinq sept huit neuf dix vingt trente cinquante cent mille
`);

/** `him` under another author's message, which needs no recipient. */
export const PRONOUNS = list(`
  him her them he she they it this that op author poster ihn ihm ihr ihnen sie el él ella ellos lo la le lui elle
`);
