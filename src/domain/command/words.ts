/** The vocabulary: verbs, units, and the words that stand behind an amount and change what it means. */
import type { MoneyVerb, PlainVerb, Unit } from './result.ts';

export const MONEY_VERBS: ReadonlySet<string> = new Set<MoneyVerb>(['tip', 'send', 'split']);

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
]);

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
`);

/** Words behind an amount that change it: `5 in total`, `5 or 10`, `5 per day`. */
export const AMOUNT_CHANGERS = list(`
  total altogether overall combined together between among amongst split shared in of worth per plus minus times or and & +
  also too max maximum minimum approximately approx about around roughly ish point dot comma each apiece every daily
  weekly monthly hourly yearly until till up twice thrice double triple including excluding incl excl ten eleven twelve twenty thirty forty fifty sixty seventy eighty ninety
`);

/** A sentence that goes on like this was no order: a condition, a time, a statement about the words before it. */
export const SENTENCE_WORDS = list(`
  if unless when whenever once after before while monday tuesday wednesday thursday friday saturday sunday tomorrow later tonight soon next maybe perhaps possibly instead
  is was are were isn't wasn't would should could will won't can can't cannot might may did does has had have must but than then fail failed fails error errors works worked broke broken bounced actually
  via using through over
`);

export const NEGATIONS = list(`
  no not never nope nah doesnt didnt isnt wasnt arent shouldnt wouldnt couldnt dont don't doesn't didn't wont won't cant can't shouldn't without cancel cancelled stop wait undo
  jk j/k kidding joking nvm nevermind sike psych /s false wrong ignore
`);

/** Anywhere behind a command these take it back. */
export const RETRACTIONS =
  /(?:^|[^\w/])(?:jk|j\/k|nvm|nevermind|never ?mind|just kidding|kidding|joking|sike|psych|scratch that|no way|as if|in your dreams|dream on|yeah right|no wait|not really|cancel (?:that|this|it)|don'?t (?:do|pay|send|tip|split) (?:it|this|that|him|her|them|anything)|do not (?:pay|send|tip|split|execute)|\/s)(?![\w/])/;

/** Short words that people shout and that are no ticker. */
export const INTERJECTIONS = list(`
  ty thx tysm thanks thank gg ggs wp lol lmao wow omg yay yes nice great cool gm gn gj hbd ily xo xoxo bravo happy congrats cheers
  the you your this that my our he she it we they i so as at by from well good best much big keep enjoy go hey hi
`);
