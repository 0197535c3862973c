// In words: an allowance, a payment and a transfer of USDC, which the token itself takes (EIP-2612, EIP-3009).
import { authorizationData, transferData } from '../../../../../src/domain/typedData/tokens.ts';
import { permitData } from '../../../../../src/domain/typedData.ts';
import { isSameAddress } from '../../../../../src/domain/walletFamily.ts';
import {
  authorizationTerms,
  type Explainer,
  isUsdc,
  LIMITLESS,
  labelOf,
  NO_LIMIT,
  number,
  on,
  type Router,
  routerAt,
  seconds,
  text,
  tokenName,
  until,
  usableUntil,
  usdc,
  verifier,
  warningOf,
} from './reading.ts';

/** What each router takes an allowance for. */
const PURPOSE: Record<Router, string> = {
  bot: 'for the tips you type in a chat. Valid until used up or changed.',
  escrow: 'for money that you keep for someone.',
  payment: 'for the payment or the refund that you confirm with it.',
  business: 'for the payment or the refund that you confirm with it.',
  subscription: 'for your subscriptions, each period. Valid until used up or changed.',
};

export const TOKENS: Record<string, Explainer> = {
  Permit(message, { chain, address }, { domain }) {
    const router = routerAt(chain, message['spender']);
    if (!router || !isUsdc(chain, domain) || !isSameAddress(text(message, 'owner'), address)) return null;
    const again = permitData({
      chainId: chain.chain_id,
      token: text(domain, 'verifyingContract'),
      tokenDomain: { name: text(domain, 'name'), version: text(domain, 'version') },
      owner: text(message, 'owner'),
      spender: text(message, 'spender'),
      value: number(message, 'value'),
      nonce: number(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const value = number(message, 'value');
    const sum = value >= LIMITLESS ? 'any amount of USDC' : `up to ${usdc(chain, value)} in total`;
    const words = `Lets Ampersat’s contract on ${labelOf(chain)} take ${sum} from your wallet, ${PURPOSE[router]}`;
    return {
      again,
      words: {
        title: 'Allowance',
        text: words,
        facts: [usableUntil(number(message, 'deadline'))],
        ...(value >= LIMITLESS ? { warning: NO_LIMIT } : warningOf(chain, value)),
      },
    };
  },

  ReceiveWithAuthorization(message, { chain, address }, { domain }) {
    const router = routerAt(chain, message['to']);
    if (!router || !isUsdc(chain, domain) || !isSameAddress(text(message, 'from'), address)) return null;
    const terms = authorizationTerms(message);
    const again = authorizationData(verifier(chain, domain), tokenName(domain), terms);
    const amount = usdc(chain, terms.value);
    const isKept = router === 'escrow';
    const words = isKept
      ? `Keeps ${amount} for the recipient that the page names, in Ampersat’s contract.`
      : `Pays ${amount} through Ampersat’s contract for the one order that the page shows, once. The contract pays no other.`;
    return {
      again,
      words: {
        title: `${isKept ? 'Keep' : 'Pay'} ${amount}`,
        text: words,
        facts: [...on(chain), until(terms.validBefore)],
        ...warningOf(chain, terms.value),
      },
    };
  },

  TransferWithAuthorization(message, { chain, address }, { domain }) {
    if (!isUsdc(chain, domain) || !isSameAddress(text(message, 'from'), address)) return null;
    const terms = authorizationTerms(message);
    const again = transferData(verifier(chain, domain), tokenName(domain), terms);
    const amount = usdc(chain, terms.value);
    const facts = [...on(chain), { name: 'To', value: terms.to }, until(terms.validBefore)];
    return {
      again,
      words: {
        title: `Send ${amount}`,
        text: `Sends ${amount} to the address below. You can’t undo it.`,
        facts,
        ...warningOf(chain, terms.value),
      },
    };
  },
};
