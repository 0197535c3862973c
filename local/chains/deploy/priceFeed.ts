// Price feeds with Chainlink's surface on a local chain, whose prices their owner sets. Prices have 8 decimals.
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { fixtureInitCode, hasCode, type LocalChain, planDeployment, sendAll } from './send.ts';

const FEED_SCALE = 1e8;

export const priceFeedAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function owner() view returns (address)',
  'function setAnswer(int256 answer)',
  'function setAnswerAt(int256 answer, uint256 updatedAt)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);

/** The play price of SOL, in whole US dollars. */
export const SOL_USD = 150;

/** Two independent feeds of an asset's price; a new one starts with `usdPrice`. The wallet becomes their owner. */
export async function deployPriceFeeds(
  local: LocalChain,
  usdPrice: number,
  asset: 'NATIVE' | 'SOL' = 'NATIVE',
): Promise<[Address, Address]> {
  const deploy = async (name: string): Promise<Address> => {
    const initCode = fixtureInitCode('PriceFeed', [local.wallet.account.address, `${asset} / USD (${name})`]);
    const { address, call } = planDeployment(initCode, 'price-feed');
    if (!(await hasCode(local.client, address))) await sendAll(local, [call, setCall(address, usdPrice)]);
    return address;
  };
  return [await deploy('first'), await deploy('second')];
}

/** Sets the price of each feed, and with it the time of its last update. The wallet must be their owner's. */
export async function setPrices(local: LocalChain, feeds: readonly Address[], usdPrice: number): Promise<void> {
  await sendAll(
    local,
    feeds.map((feed) => setCall(feed, usdPrice)),
  );
}

function setCall(feed: Address, usdPrice: number): { to: Address; data: Hex } {
  const answer = BigInt(Math.round(usdPrice * FEED_SCALE));
  return { to: feed, data: encodeFunctionData({ abi: priceFeedAbi, functionName: 'setAnswer', args: [answer] }) };
}
