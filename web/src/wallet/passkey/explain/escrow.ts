// In words: money that is kept for someone.
import { escrowRefundData } from '../../../../../src/domain/typedData/escrow.ts';
import { bytes, type Explainer, isAt, labelOf, number, until, verifier } from './reading.ts';

export const ESCROW: Record<string, Explainer> = {
  Refund(message, { chain }, { domain }) {
    if (!isAt(chain, 'escrow', domain)) return null;
    const terms = { tabId: bytes(message, 'tabId'), deadline: number(message, 'deadline') };
    const again = escrowRefundData(verifier(chain, domain), terms);
    const words = `Takes back money that you keep for someone on ${labelOf(chain)}. It returns to the wallet that it came from.`;
    return { again, words: { title: 'Take it back', text: words, facts: [until(terms.deadline)] } };
  },
};
