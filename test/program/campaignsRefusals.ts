// What campaigns and their grants refuse.
import { WRAPPED_SOL } from '../../src/chain/solana/addresses.ts';
import { putToken } from './machine.ts';
import { refusal } from './refusals.ts';
import { ALICE, BOB, bumpOf, changed, DAY, limitsAt, MALLORY, secondAccount } from './scenes.ts';
import { atOf, campaign, FLOAT, MILLION, must, ROLES, type Setting, USDC } from './setting.ts';

const MOST = 2n ** 64n - 1n;

const ofAlice = (change: Partial<Parameters<typeof putToken>[1]>) => (setting: Setting) => {
  const delegate = { to: setting.spender, amount: FLOAT };
  putToken(setting, { owner: ALICE, mint: USDC, amount: FLOAT, delegate, ...change });
  return undefined;
};
const frozen = (owner: string) => (setting: Setting) => {
  putToken(setting, { owner, mint: USDC, isFrozen: true });
  return undefined;
};

export const CAMPAIGNS_REFUSALS = [
  refusal('openCampaign', 'unsupportedAsset', 'SOL is granted by none', { args: { asset: 2 } }),
  refusal('openCampaign', 'zeroAmount', 'it has nothing', { args: { total: 0n } }),
  refusal('openCampaign', 'zeroAmount', 'it grants nothing', { args: { mostPerGrant: 0n } }),
  refusal('openCampaign', 'expired', 'it ends now', (s, ready) =>
    changed('openCampaign', ready, { args: { expiry: BigInt(s.now()) } }),
  ),
  refusal('openCampaign', 'invalidDeadline', 'it ends a second more than 366 days from now', (s) =>
    campaign(s, ALICE, { expiry: s.now() + 366 * DAY + 1 }).open(),
  ),
  refusal('openCampaign', 'invalidDeadline', 'it never ends', { args: { expiry: MOST } }),
  refusal('openCampaign', 'unknownRecipient', 'it has none', { args: { recipients: 0 } }),
  refusal('openCampaign', 'unknownRecipient', 'it has one too many', { args: { recipients: 65_537 } }),
  refusal('openCampaign', 'wrongAddress', 'mallory sponsors it at its address', { accounts: { sponsor: MALLORY } }),
  refusal('openCampaign', 'wrongAddress', 'its expiry is another', { args: { expiry: 1_810_000_000n } }),
  refusal('openCampaign', 'exists', 'it is open', (s, ready) => {
    must(s, ready);
    return undefined;
  }),

  refusal('grant', 'notExecutor', 'mallory signs', { accounts: { executor: MALLORY } }),
  refusal('grant', 'notExecutor', 'the sponsor signs', { accounts: { executor: ALICE } }),
  refusal('grant', 'expired', 'it is a second late', (s) => {
    s.later(901);
    return undefined;
  }),
  refusal('grant', 'expired', 'the campaign is over', (s, ready) => {
    s.later(30 * DAY + 1);
    return changed('grant', ready, { args: { validUntil: MOST } });
  }),
  refusal('grant', 'campaignClosed', 'the sponsor closed it', (s) => {
    must(s, campaign(s, ALICE).close());
    return undefined;
  }),
  refusal('grant', 'senderPaused', 'the sponsor is paused', (s) => {
    const limits = limitsAt(s, ALICE);
    must(s, s.build('setPaused', { args: { paused: true }, accounts: { signer: ALICE, limits } }));
    return undefined;
  }),
  refusal('grant', 'wrongAddress', "the limits are another's, who is not paused", (s, ready) =>
    changed('grant', ready, { accounts: { limits: limitsAt(s, MALLORY) } }),
  ),
  refusal('grant', 'zeroAmount', 'it is nothing', { each: { args: { amount: 0n } } }),
  refusal('grant', 'grantTooLarge', 'it is a unit too much', { each: { args: { amount: 10n * MILLION + 1n } } }),
  refusal('grant', 'limitFee', 'the fee is a unit too much', { each: { args: { fee: 100_001n } } }),
  refusal('grant', 'campaignExhausted', 'amount and fee are a unit more than is left', (s) => {
    const one = campaign(s, ALICE, { salt: 'small', total: 1_049_999n });
    must(s, one.open());
    return one.grant([{ index: 0, to: BOB }]);
  }),
  refusal('grant', 'campaignExhausted', 'the first left less', (s) => {
    const one = campaign(s, ALICE, { salt: 'small', total: 2_099_999n });
    must(s, one.open());
    must(s, one.grant([{ index: 0, to: BOB }]));
    return one.grant([{ index: 1, to: BOB }]);
  }),
  refusal('grant', 'overflow', 'amount and fee do not fit', (s) => {
    const one = campaign(s, ALICE, { salt: 'large', total: MOST, mostPerGrant: MOST, maxFee: MOST });
    must(s, one.open());
    return one.grant([{ index: 0, to: BOB, amount: MOST, fee: 1n }]);
  }),
  refusal('grant', 'alreadyGranted', 'the recipient has it', (s, ready) => {
    must(s, ready);
    return undefined;
  }),
  refusal('grant', 'alreadyGranted', 'the recipient is listed twice', (s) =>
    campaign(s, ALICE).grant([
      { index: 0, to: BOB },
      { index: 0, to: MALLORY },
    ]),
  ),
  refusal('grant', 'unknownRecipient', 'there are fewer', { each: { args: { index: 100 } } }),
  refusal('grant', 'wrongTokenOwner', "the money is another's", (s, ready) =>
    changed('grant', ready, { accounts: { source: secondAccount(s, MALLORY, { isApproved: true }) } }),
  ),
  refusal('grant', 'wrongMint', 'the money is of the other asset', { accounts: { source: atOf(ALICE, WRAPPED_SOL) } }),
  refusal('grant', 'wrongTokenOwner', 'the fee goes to mallory', { accounts: { treasury: atOf(MALLORY) } }),
  refusal('grant', 'wrongMint', "the treasury's account is of the other asset", {
    accounts: { treasury: atOf(ROLES.treasury, WRAPPED_SOL) },
  }),
  refusal('grant', 'wrongMint', "the recipient's account is of the other asset", (_, ready) =>
    changed('grant', ready, {
      accounts: { recipient: atOf(BOB, WRAPPED_SOL) },
      each: { args: { bump: bumpOf(BOB, WRAPPED_SOL) } },
    }),
  ),
  refusal('grant', 'wrongAddress', 'the account is not the associated one', (s, ready) =>
    changed('grant', ready, { accounts: { recipient: secondAccount(s, BOB) } }),
  ),
  refusal('grant', 'invalidRecipient', 'the sponsor is the recipient', (_, ready) =>
    changed('grant', ready, { accounts: { recipient: atOf(ALICE) }, each: { args: { bump: bumpOf(ALICE) } } }),
  ),
  ...[USDC, WRAPPED_SOL].map((mint) =>
    refusal('grant', 'invalidRecipient', `the vault is the recipient, of ${mint}`, (s) => {
      const one = campaign(s, ALICE, { salt: 'to the vault', mint });
      must(s, one.open());
      return one.grant([{ index: 0, to: s.vault }]);
    }),
  ),
  refusal('grant', 'wrongAccounts', 'there is no recipient', (s) => campaign(s, ALICE).grant([])),
  refusal('grant', 'wrongAccounts', 'there are thirteen', (s) =>
    campaign(s, ALICE).grant(Array.from({ length: 13 }, (_, index) => ({ index, to: BOB, amount: 1n, fee: 0n }))),
  ),
  refusal('grant', 'notApproved', 'nothing is approved', ofAlice({ delegate: undefined })),
  refusal('grant', 'notApproved', 'another is approved', ofAlice({ delegate: { to: MALLORY, amount: FLOAT } })),
  refusal('grant', 'allowanceTooLow', 'the approval is a unit short', (s) =>
    ofAlice({ delegate: { to: s.spender, amount: 1_049_999n } })(s),
  ),
  refusal('grant', 'allowanceTooLow', 'the first grant used the approval up', (s) => {
    ofAlice({ delegate: { to: s.spender, amount: 2_099_999n } })(s);
    return campaign(s, ALICE).grant([
      { index: 0, to: BOB },
      { index: 1, to: MALLORY },
    ]);
  }),
  refusal('grant', 'balanceTooLow', 'the balance is a unit short', ofAlice({ amount: 1_049_999n })),
  refusal('grant', 'accountFrozen', 'the source is frozen', ofAlice({ isFrozen: true })),
  refusal('grant', 'accountFrozen', "the recipient's account is frozen", frozen(BOB)),
  refusal('grant', 'accountFrozen', "the treasury's account is frozen", frozen(ROLES.treasury)),

  refusal('closeCampaign', 'notSponsorNorExecutor', 'mallory signs', { accounts: { signer: MALLORY } }),
  refusal('closeCampaign', 'notSponsorNorExecutor', 'the owner signs', { accounts: { signer: ROLES.owner } }),
  refusal('closeCampaign', 'campaignClosed', 'it was closed before', (s, ready) => {
    must(s, ready);
    return undefined;
  }),
  refusal('deleteCampaign', 'campaignOpen', 'it lasts until the end of this second', (s) => {
    const one = campaign(s, ALICE, { salt: 'later' });
    must(s, one.open());
    s.later(30 * DAY);
    return one.remove();
  }),
  refusal('deleteCampaign', 'wrongRentAddress', 'the sponsor wants the rent that another paid', {
    accounts: { rentTo: ALICE },
  }),
];
