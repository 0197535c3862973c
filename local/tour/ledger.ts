// The USDC of everyone by the chain: each step of the tour names whose balance changes by how much, and no other balance may change.
import { type Address, erc20Abi, formatUnits, parseUnits } from 'viem';
import { type Cast, strayAddress } from './cast.ts';
import { check, type Tour } from './tour.ts';

/** Where money of the tour can be; `tabs` is the router that keeps it for people without an account. */
type Place = Exclude<keyof Cast, 'sessions'> | 'alice' | 'shop' | 'treasury' | 'tabs' | 'stray';
export type Ledger = { block: bigint; units: Record<Place, bigint> };
export type Changes = Partial<Record<Place, string>>;

function placesOf({ cast: { sessions: _, ...people }, local, cast }: Tour): Record<Place, Address> {
  const owners = Object.entries(people).map(([name, { address }]) => [name, address]);
  return {
    ...(Object.fromEntries(owners) as Record<keyof typeof people, Address>),
    alice: local.accounts['alice']?.evm_address as Address,
    shop: local.accounts['shop']?.evm_address as Address,
    treasury: local.treasury as Address,
    tabs: local.chains['base']?.routers.escrow as Address,
    stray: strayAddress(cast),
  };
}

const tokenOf = ({ local }: Tour) => ({ address: local.chains['base']?.usdc as Address, abi: erc20Abi });

export async function readLedger(tour: Tour): Promise<Ledger> {
  const block = await tour.client.getBlockNumber();
  const read = async ([place, owner]: [string, Address]) => {
    const units = await tour.client.readContract({ ...tokenOf(tour), functionName: 'balanceOf', args: [owner] });
    return [place, units] as const;
  };
  const units = Object.fromEntries(await Promise.all(Object.entries(placesOf(tour)).map(read)));
  return { block, units: units as Ledger['units'] };
}

/**
 * Compares with what was before, to the unit.
 * @param changes in USDC; who is not named has exactly what they had
 * @returns the hashes of the transactions that moved it
 * @throws Error with whose money is not as it should be
 */
export async function moved(tour: Tour, before: Ledger, changes: Changes): Promise<string> {
  const after = await readLedger(tour);
  for (const place of Object.keys(after.units) as Place[]) {
    const [wanted, got] = [parseUnits(changes[place] ?? '0', 6), after.units[place] - before.units[place]];
    check(got === wanted, `${place} has ${formatUnits(wanted, 6)} USDC more (it is ${formatUnits(got, 6)})`);
  }
  if (Object.keys(changes).length === 0) return 'none';
  const places = Object.values(placesOf(tour)).map((owner) => owner.toLowerCase());
  const range = { fromBlock: before.block + 1n, eventName: 'Transfer' } as const;
  const events = await tour.client.getContractEvents({ ...tokenOf(tour), ...range });
  const ours = events.filter(({ args: { from, to } }) =>
    [from, to].some((one) => places.includes(one?.toLowerCase() ?? '')),
  );
  return [...new Set(ours.map(({ transactionHash }) => transactionHash))].join(', ');
}
