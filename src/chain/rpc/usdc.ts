// Whether a token is USDC as the registry knows it on a chain: its decimals, and the domain that every signature for it depends on.
import { type Address, domainSeparator, erc20Abi, type PublicClient, parseAbi } from 'viem';
import type { ChainFacts } from '../../domain/chains.ts';
import { isRevert } from './client.ts';

const domainAbi = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)']);

/**
 * Compares a token with what the registry says of USDC on a chain.
 * @returns a sentence without a full stop that names what was found and what was expected, or null
 * @throws whatever the client throws when the endpoint does not answer
 */
export async function usdcProblem(facts: ChainFacts, usdc: Address, client: PublicClient): Promise<string | null> {
  const at = `USDC at ${usdc} on ${facts.name}`;
  const decimals = await client
    .readContract({ address: usdc, abi: erc20Abi, functionName: 'decimals' })
    .catch(onlyReverts);
  if (decimals !== facts.usdcDecimals) return `${at} has ${decimals ?? 'no'} decimals, expected ${facts.usdcDecimals}`;
  if (!facts.usdcDomain) return null;
  const found = await client
    .readContract({ address: usdc, abi: domainAbi, functionName: 'DOMAIN_SEPARATOR' })
    .catch(onlyReverts);
  const expected = domainSeparator({
    domain: { ...facts.usdcDomain, chainId: facts.chainId, verifyingContract: usdc },
  });
  if (found === expected) return null;
  const domain = `${facts.usdcDomain.name}, version ${facts.usdcDomain.version}`;
  return `${at} has the EIP-712 domain ${found ?? 'none'}, expected ${expected} (${domain})`;
}

/** What is no contract of that kind reverts, or answers nothing; anything else is the endpoint's fault. */
function onlyReverts(error: unknown): null {
  if (isRevert(error) || /returned no data|out of bounds/i.test(String(error))) return null;
  throw error;
}
