// In words: a handle’s wallets, and whom its keys may pay.
import { businessWalletData, recipientData } from '../../../../../src/domain/typedData/workspaces.ts';
import { walletAdditionData, walletChangeData } from '../../../../../src/domain/typedData.ts';
import { type Explainer, number, seconds, text, usableUntil } from './reading.ts';

export const ACCOUNTS: Record<string, Explainer> = {
  PayoutWalletChange(message, { chain }) {
    const [handle, oldWallet, newWallet] = ['handle', 'oldWallet', 'newWallet'].map((name) => text(message, name));
    const again = walletChangeData({
      chainId: chain.chain_id,
      handle: handle ?? '',
      oldWallet: oldWallet ?? '',
      newWallet: newWallet ?? '',
      nonce: seconds(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const facts = [
      { name: 'From', value: oldWallet ?? '' },
      { name: 'To', value: newWallet ?? '' },
      usableUntil(number(message, 'deadline')),
    ];
    return {
      again,
      words: { title: 'Change of wallet', text: `From now on payments to @${handle} go to another wallet.`, facts },
    };
  },

  PayoutWalletAddition(message, { chain }) {
    const handle = text(message, 'handle');
    const again = walletAdditionData({
      chainId: chain.chain_id,
      handle,
      currentWallet: text(message, 'currentWallet'),
      newWallet: text(message, 'newWallet'),
      nonce: seconds(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const facts = [{ name: 'Wallet', value: text(message, 'newWallet') }, usableUntil(number(message, 'deadline'))];
    return {
      again,
      words: { title: 'Another wallet', text: `Adds a wallet to @${handle} that is paid on its own networks.`, facts },
    };
  },

  RecipientAllowance(message, { chain }, data) {
    const allowed = (data.message as Record<string, unknown>)['allowed'] === true;
    const [workspace, recipient] = [text(message, 'workspace'), text(message, 'recipient')];
    const again = recipientData({
      chainId: chain.chain_id,
      workspace,
      recipient,
      allowed,
      nonce: seconds(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const words = allowed
      ? `Lets API keys of @${workspace} create orders and links that pay @${recipient}.`
      : `Stops API keys of @${workspace} from creating orders and links that pay @${recipient}.`;
    return { again, words: { title: 'Recipients', text: words, facts: [usableUntil(number(message, 'deadline'))] } };
  },

  BusinessWallet(message, { chain }) {
    const again = businessWalletData({
      chainId: chain.chain_id,
      workspace: text(message, 'workspace'),
      wallet: text(message, 'wallet'),
      payoutAddress: text(message, 'payoutAddress'),
      nonce: seconds(message, 'nonce'),
      deadline: seconds(message, 'deadline'),
    });
    const facts = [
      { name: 'Paid to', value: text(message, 'payoutAddress') },
      usableUntil(number(message, 'deadline')),
    ];
    return {
      again,
      words: {
        title: 'Business',
        text: `Makes @${text(message, 'workspace')} a business, paid at this address.`,
        facts,
      },
    };
  },
};
