// The pause of the program with the guardian's key: by a block hash of one endpoint, with a fee that none names, and sent to all of them.
import { type Connection, PublicKey } from '@solana/web3.js';
import { takenByAny } from '../rpc/answers.ts';
import { compileMessage, HIGHEST_UNIT_PRICE, type SolanaChain, type SolanaKey, signMessageOf } from './client.ts';
import { CLOCK_SYSVAR, timeOfClock } from './clock.ts';
import { buildInstruction } from './instructions.ts';
import { configBy } from './watching.ts';

/** The longest that the program takes. */
const PAUSE_SECONDS = 259_200n;
/** A pause that ends sooner leaves operators no time to act: the next one is owed. */
const LEAST_SECONDS = 3_600n;
const UNITS = 20_000;
/** What a pause costs at most: a signature, and the highest price of its units. */
const COST = 5_000 + (UNITS * HIGHEST_UNIT_PRICE) / 1_000_000;
/** What a pause costs at most is kept so many times, beside the rent of the account that holds it. */
const PAUSES_KEPT = 3;
const LEAST_ACCOUNT = 890_880;

/**
 * Where the pause stands by one endpoint's word. `paused`: in a final slot, and for some time. `waits`: nothing to send now, because a pause is there and not final, or because the
 * program takes the next one only after as long as the last one lasted.
 */
export async function pauseStanding(at: Connection, chain: SolanaChain): Promise<'paused' | 'waits' | 'open'> {
  const [final, now] = await Promise.all([configBy(at, chain, 'finalized'), timeBy(at)]);
  if (now + LEAST_SECONDS < final.pausedUntil) return 'paused';
  return now < takesPauseFrom(await configBy(at, chain, 'confirmed')) ? 'waits' : 'open';
}

function takesPauseFrom({ pausedFrom, pausedUntil }: { pausedFrom: bigint; pausedUntil: bigint }): bigint {
  return pausedUntil + (pausedUntil - pausedFrom);
}

/** The program's time, in Unix seconds, by an endpoint's word. */
export async function timeBy(at: Connection): Promise<bigint> {
  return timeOfClock(await at.getAccountInfo(new PublicKey(CLOCK_SYSVAR), 'confirmed'));
}

/** Signs a pause and sends it everywhere. Its block hash is over after two minutes, so that no endpoint can keep it for later. @returns its signature @throws Error where no endpoint takes it */
export async function sendSolanaPause(chain: SolanaChain, at: Connection, guardian: SolanaKey): Promise<string> {
  const { blockhash } = await at.getLatestBlockhash('confirmed');
  const accounts = { guardian: guardian.address };
  const instructions = [buildInstruction(chain.program, 'pause', { args: { seconds: PAUSE_SECONDS }, accounts })];
  const call = { instructions, units: UNITS };
  const message = compileMessage(guardian.address, call, HIGHEST_UNIT_PRICE, { blockhash });
  const { raw, signature } = signMessageOf(message, [guardian]);
  const bytes = Buffer.from(raw, 'base64');
  const sent = chain.endpoints.map((one) => one.sendRawTransaction(bytes, { skipPreflight: true }));
  // One that hangs is not waited for, and one that refuses it has no say.
  await takenByAny(sent);
  return signature;
}

/** Why this key could not pause the program now, by an endpoint's word; null when it could. */
export async function solanaGuardianProblem(
  at: Connection,
  chain: SolanaChain,
  { address }: SolanaKey,
): Promise<string | null> {
  const [config, balance, now] = await Promise.all([
    configBy(at, chain, 'confirmed'),
    at.getBalance(new PublicKey(address), 'confirmed'),
    timeBy(at),
  ]);
  if (config.guardian !== address) return `the program’s guardian is ${config.guardian}, not ${address}`;
  if (balance < LEAST_ACCOUNT + COST * PAUSES_KEPT)
    return `${address} cannot pay for ${PAUSES_KEPT} pauses: send it ${chain.facts.native}`;
  const from = takesPauseFrom(config);
  if (now >= config.pausedUntil && now < from)
    return `the program takes the next pause only from ${new Date(Number(from) * 1_000).toISOString()} on: work has to run as long as the last pause lasted`;
  return null;
}
