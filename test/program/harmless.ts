// Attacks that succeed and are none, each with its reason. Their money goes where it would have gone without them, unless a row says otherwise.

/** Parts of regular expressions for a scene, one of its accounts, and what was done with it. */
export type HarmlessRow = {
  scene: string;
  slot: string;
  how: string;
  because: string;
  /** The effect is another one, which `because` explains. */
  elsewhere?: true;
};

const row = (scene: string, slot: string, how: string, because: string): HarmlessRow => ({ scene, slot, how, because });
const other = (scene: string, slot: string, how: string, because: string): HarmlessRow => ({
  ...row(scene, slot, how, because),
  elsewhere: true,
});

const FREE_CALLS = 'applyAuthority|applyTreasury|closeBucket|closeOrder|closeSubscription|deleteCampaign|sweep|charge';
const RENT_PAID = 'createPlan|initialize|openCampaign|openTab.*|setLimits.*|subscribe';
const OTHER = 'replaced by .*|the same as .*';
const OTHER_THAN_VAULT = "replaced by (?!vault's USDC$).*|the same as .*";
const SECOND_USDC = "replaced by (\\w+)'s second USDC account";

export const HARMLESS: readonly HarmlessRow[] = [
  row(`${FREE_CALLS}|refundTab`, 'caller', OTHER, 'anyone calls it, and gets nothing by it'),
  row('acceptDeposit, by anyone', 'signer', OTHER, 'anyone calls it so late, and gets nothing by it'),
  row(RENT_PAID, 'payer', OTHER, 'another wallet signs and pays the rent, which returns to it'),
  row('pay.*|openDeposit', 'funder', OTHER, 'another wallet signs and pays the rent, which returns to it'),
  row('claimTab|grant|halt|lowerLimits|tip.*', 'executor', 'replaced by executor2', 'it is an executor too'),
  row('setPaused', 'signer', 'replaced by (alice|executor2)', 'the owner and each executor pause an owner'),
  row('closeCampaign', 'signer', 'replaced by executor2?', 'an executor closes a campaign'),
  row('cancel', 'signer', 'replaced by bob', "the plan's creator cancels too"),
  row('pause', 'guardian', 'replaced by owner', 'the owner pauses too'),

  row('acceptDeposit', 'payee', SECOND_USDC, 'it is another account of the payee, which signed'),
  row(
    'acceptDeposit(, by anyone)?|charge|grant|pay|subscribe|sweep|tip',
    'treasury',
    SECOND_USDC,
    'it is another account of the treasury',
  ),
  row(
    'tip, in wrapped SOL',
    'treasury',
    "replaced by treasury's second wrapped SOL account",
    'it is another account of the treasury',
  ),
  row(
    'charge|grant|pay|refund|subscribe|openTab|tip|tipToTab',
    'source',
    SECOND_USDC,
    'it is another account of the same wallet, which signed or approved the spender',
  ),
  row(
    'openTab, in wrapped SOL, without limits|tip, in wrapped SOL',
    'source',
    "replaced by alice's second wrapped SOL account",
    'it is another account of the same wallet, which signed or approved the spender',
  ),
  row('claimTab|refundTab, by the sender', 'to', SECOND_USDC, 'it is another account of the wallet that is paid'),
  row('initialize', 'vault(Usdc|Wrapped)', "replaced by vault's second .* account", 'it is an account of the vault'),

  row('setLimits', 'payer', 'without its signature|read-only', 'nothing is created, so nothing is paid'),
  row('setLimits|refund|tip, in wrapped SOL', 'system', OTHER, 'nothing is created, so it is not called'),
  row('(pay|refund), in SOL', 'tokenProgram', OTHER, 'no token moves, so it is not called'),
  row('tip, in wrapped SOL', 'executor', 'read-only', 'the bucket has room, so nothing is paid'),
  row('pay', 'payer', 'read-only', 'tokens move, and another wallet pays the rent'),
  row('refund', 'signer', 'read-only', 'tokens move, no lamports of the payee'),
  row('acceptDeposit(, by anyone)?|returnDeposit', 'order', 'read-only', 'the order stays as it is'),
  row('setPaused, by the owner', 'limits', 'read-only', 'the owner is not paused, so nothing changes'),

  other('refund, in SOL', 'to', OTHER, 'the payee signs, and chooses whom it pays back'),
  other('refund|returnDeposit', 'to', OTHER_THAN_VAULT, 'the payee signs, and chooses whom it pays back'),
  other('refund|returnDeposit', 'to', "of mallory's wallet", 'the payee signs, and chooses whom it pays back'),
  other('lowerLimits|setPaused', 'limits', 'replaced by .* limits', 'an executor lowers and pauses each owner'),
  other('halt', 'subscription', "replaced by mallory's subscription", 'an executor halts each subscription'),
  other('claimTab', 'tab', "replaced by mallory's tab", 'the executor and the authority sign for each tab'),
  other(
    'tip, in wrapped SOL',
    'recipient',
    "(replaced by|the same as) treasury('s wrapped SOL)?",
    'the executor chooses whom a tip pays; this bump is the same as that of the recipient',
  ),

  other(
    'tipToTab|openTab.*',
    'vaultAccount',
    "of mallory's wallet",
    "it is the vault's by its address; the vault signs no change of its owner",
  ),
  row(
    'grant',
    'limits',
    'under .*|with the kind .*|cut to .*|closed before',
    'a sponsor without limits has no pause; the program alone writes at the address',
  ),
  other('setLimits|openTab', 'limits', 'closed before', 'they are created again'),
  other('tip, in wrapped SOL', 'bucket', 'closed before', 'it is created again: only its hour can be the same'),
  other(
    'closeOrder',
    'deposit',
    'under .*|of another mint|closed before',
    'no account of the token program is there, which an associated address cannot lose',
  ),

  row('closeBucket', '\\(all\\)', 'its last account twice', 'a payer that is listed again gets nothing for it'),
  other('setLimits.*|lowerLimits|setPaused.*|unpause', '\\(all\\)', 'twice .*', 'the second changes nothing'),
  other(
    'refund(, in SOL)?|returnDeposit',
    '\\(all\\)',
    'twice .*',
    'the payee signed both, and they sum up to what was paid',
  ),
  other('openDeposit', '\\(all\\)', 'twice .*', 'the deposit is open already'),
];
