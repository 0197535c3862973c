// What the program should do, said once more in a few plain lines: balances as numbers, no accounts, no bytes.
import type { ProgramErrorName } from '../../src/chain/solana/errors.ts';

export type Asset = 0 | 1;
export type Refusal = ProgramErrorName;
type Wallet = { balance: [bigint, bigint]; allowance: [bigint, bigint] };
type Limits = {
  paused: boolean;
  nonce: bigint;
  of: { perTip: bigint; perDay: bigint; maxFee: bigint; draws: { at: number; sum: bigint }[] }[];
};
type Tab = { sender: string; asset: Asset; amount: bigint; deadline: number; revocable: boolean };
type Order = {
  payee: string;
  amount: bigint;
  business: boolean;
  deadline: number;
  settled: boolean;
  refunded: bigint;
  deposit: bigint;
};
type Subscription = { state: 'active' | 'cancelled' | 'halted'; started: number; last: number; next: number };
type Plan = {
  creator: string;
  amount: bigint;
  period: number;
  active: boolean;
  subscriptions: Map<string, Subscription>;
};
type Campaign = {
  sponsor: string;
  total: bigint;
  spent: bigint;
  most: bigint;
  maxFee: bigint;
  expiry: number;
  closed: boolean;
  granted: Set<number>;
  recipients: number;
};

export const TREASURY = 'treasury';
export const VAULT = 'vault';
const SLICE = 21_600;
const DAY = 86_400;

export class Model {
  now: number;
  wallets = new Map<string, Wallet>();
  limits = new Map<string, Limits>();
  keys = new Set<string>();
  tabs = new Map<string, Tab>();
  orders = new Map<string, Order>();
  plans = new Map<string, Plan>();
  campaigns = new Map<string, Campaign>();
  pausedUntil = 0;

  constructor(now: number) {
    this.now = now;
  }

  wallet(name: string): Wallet {
    const found = this.wallets.get(name);
    if (!found) throw new Error(`no wallet ${name}`);
    return found;
  }

  add(name: string, balance: bigint, allowance: bigint): void {
    this.wallets.set(name, { balance: [balance, balance], allowance: [allowance, allowance] });
  }

  private move(from: string, to: string, asset: Asset, amount: bigint): void {
    this.wallet(from).balance[asset] -= amount;
    this.wallet(to).balance[asset] += amount;
  }

  private draw(from: string, to: string, asset: Asset, amount: bigint): void {
    this.move(from, to, asset, amount);
    this.wallet(from).allowance[asset] -= amount;
  }

  private drawable(from: string, asset: Asset, sum: bigint): Refusal | null {
    const { balance, allowance } = this.wallet(from);
    // The token program takes the delegate away when its allowance is used up.
    if (allowance[asset] === 0n) return 'notApproved';
    if (allowance[asset] < sum) return 'allowanceTooLow';
    return balance[asset] < sum ? 'balanceTooLow' : null;
  }

  private running(): Refusal | null {
    return this.now < this.pausedUntil ? 'paused' : null;
  }

  setLimits(owner: string, asset: Asset, perTip: bigint, perDay: bigint, maxFee: bigint): Refusal | null {
    const limits = this.ownLimits(owner);
    limits.of[asset] = { draws: limits.of[asset]?.draws ?? [], perTip, perDay, maxFee };
    return null;
  }

  private ownLimits(owner: string): Limits {
    const empty = () => ({ perTip: 0n, perDay: 0n, maxFee: 0n, draws: [] });
    const limits = this.limits.get(owner) ?? {
      paused: false,
      nonce: BigInt(this.now - 3_600) << 20n,
      of: [empty(), empty()],
    };
    this.limits.set(owner, limits);
    return limits;
  }

  lowerLimits(owner: string, asset: Asset, perTip: bigint, perDay: bigint, maxFee: bigint): Refusal | null {
    const limits = this.limits.get(owner)?.of[asset];
    if (!limits) return 'wrongKind';
    if (perTip > limits.perTip || perDay > limits.perDay || maxFee > limits.maxFee) return 'limitRaised';
    Object.assign(limits, { perTip, perDay, maxFee });
    return null;
  }

  setPaused(owner: string, by: string, paused: boolean): Refusal | null {
    const limits = this.limits.get(owner);
    if (!limits) return 'wrongKind';
    if (by !== owner && by !== 'executor') return 'notExecutor';
    if (by !== owner && !paused) return 'notOwner';
    limits.paused = paused;
    return null;
  }

  pause(seconds: number): void {
    this.pausedUntil = this.now + seconds;
  }

  private count(key: string, from: string, asset: Asset, time: number, amount: bigint, fee: bigint): Refusal | null {
    const limits = this.limits.get(from);
    if (!limits) return 'wrongKind';
    if (limits.paused) return 'senderPaused';
    if (this.now - time > DAY) return 'messageTooOld';
    if (time - this.now > 600) return 'messageAhead';
    if (this.keys.has(key)) return 'alreadyProcessed';
    const of = limits.of[asset];
    if (!of) return 'wrongKind';
    if (amount === 0n) return 'zeroAmount';
    const sum = amount + fee;
    if (sum > of.perTip) return 'limitPerTip';
    if (fee > of.maxFee) return 'limitFee';
    // Slices of 6 hours: the current one and the four before it.
    const since = (Math.floor(this.now / SLICE) - 4) * SLICE;
    const spent = of.draws.filter(({ at }) => at >= since).reduce((total, draw) => total + draw.sum, 0n);
    if (spent + sum > of.perDay) return 'limitPerDay';
    const lack = this.drawable(from, asset, sum);
    if (lack) return lack;
    of.draws.push({ at: this.now, sum });
    this.keys.add(key);
    return null;
  }

  tip(
    key: string,
    from: string,
    to: string,
    asset: Asset,
    time: number,
    amount: bigint,
    fee: bigint,
    validUntil: number,
  ) {
    const refusal =
      this.running() ??
      (this.now > validUntil ? 'expired' : null) ??
      this.attempt(() => {
        const counted = this.count(key, from, asset, time, amount, fee);
        if (counted) return counted;
        return from === to ? 'invalidRecipient' : null;
      });
    if (refusal) return refusal;
    this.draw(from, to, asset, amount);
    this.draw(from, TREASURY, asset, fee);
    return null;
  }

  /** A refusal after something was counted undoes it, as a failed transaction does. */
  private attempt(work: () => Refusal | null): Refusal | null {
    const keys = new Set(this.keys);
    const limits = structuredClone(this.limits);
    const refusal = work();
    if (refusal) {
      this.keys = keys;
      this.limits = limits;
    }
    return refusal;
  }

  private tabRefusal(amount: bigint, deadline: number): Refusal | null {
    if (amount === 0n) return 'zeroAmount';
    return deadline < this.now + 3_600 || deadline > this.now + 90 * DAY ? 'invalidDeadline' : null;
  }

  tipToTab(key: string, from: string, asset: Asset, time: number, amount: bigint, deadline: number): Refusal | null {
    const refusal =
      this.running() ??
      this.attempt(() => this.count(key, from, asset, time, amount, 0n) ?? this.tabRefusal(amount, deadline));
    if (refusal) return refusal;
    this.draw(from, VAULT, asset, amount);
    this.tabs.set(`${from} ${key}`, { sender: from, asset, amount, deadline, revocable: true });
    return null;
  }

  openTab(id: string, from: string, nonce: bigint, asset: Asset, amount: bigint, deadline: number, revocable: boolean) {
    const refusal =
      this.running() ??
      this.attempt(() => {
        const limits = this.ownLimits(from);
        if (nonce <= limits.nonce || nonce >= BigInt(this.now + 3_600) << 20n) return 'invalidNonce';
        limits.nonce = nonce;
        return (
          this.tabRefusal(amount, deadline) ?? (this.wallet(from).balance[asset] < amount ? 'balanceTooLow' : null)
        );
      });
    if (refusal) return refusal;
    this.move(from, VAULT, asset, amount);
    this.tabs.set(id, { sender: from, asset, amount, deadline, revocable });
    return null;
  }

  claim(id: string, recipient: string, notAfter: number): Refusal | null {
    const refusal = this.running();
    if (refusal) return refusal;
    if (this.now > notAfter) return 'expired';
    if (notAfter - this.now > 600) return 'attestationTooLong';
    const tab = this.tabs.get(id);
    if (!tab) return 'tabNotOpen';
    this.tabs.delete(id);
    this.move(VAULT, recipient, tab.asset, tab.amount);
    return null;
  }

  refundTab(id: string, caller: string): Refusal | null {
    const tab = this.tabs.get(id);
    if (!tab) return 'tabNotOpen';
    if (this.now < tab.deadline && !(tab.revocable && caller === tab.sender)) return 'notRefundable';
    this.tabs.delete(id);
    this.move(VAULT, tab.sender, tab.asset, tab.amount);
    return null;
  }

  private static onePercent(amount: bigint): bigint {
    return (amount + 50n) / 100n;
  }

  private orderFee({ business }: Order, amount: bigint): bigint {
    return business ? Model.onePercent(amount) : 0n;
  }

  order(id: string, terms: { payee: string; amount: bigint; business: boolean; deadline: number }): Order {
    return { ...terms, settled: false, refunded: 0n, deposit: 0n, ...this.orders.get(id) };
  }

  private settle(order: Order): Refusal | null {
    return (
      this.running() ?? (order.settled ? 'alreadySettled' : null) ?? (this.now > order.deadline ? 'expired' : null)
    );
  }

  pay(id: string, order: Order, payer: string): Refusal | null {
    const refusal =
      this.settle(order) ??
      (this.wallet(payer).balance[0] < order.amount ? 'balanceTooLow' : null) ??
      (payer === order.payee ? 'invalidRecipient' : null);
    if (refusal) return refusal;
    const fee = this.orderFee(order, order.amount);
    this.move(payer, order.payee, 0, order.amount - fee);
    this.move(payer, TREASURY, 0, fee);
    this.orders.set(id, { ...order, settled: true });
    return null;
  }

  openDeposit(id: string, order: Order): Refusal | null {
    this.orders.set(id, order);
    return null;
  }

  /** Anyone sends tokens to a deposit: no instruction of the program. */
  deposit(id: string, from: string, amount: bigint): void {
    this.wallet(from).balance[0] -= amount;
    const order = this.orders.get(id);
    if (order) order.deposit += amount;
  }

  sweep(id: string): Refusal | null {
    const order = this.orders.get(id);
    if (!order) return 'wrongKind';
    const refusal = this.settle(order);
    if (refusal) return refusal;
    if (order.deposit < order.amount) return 'depositIncomplete';
    this.payFromDeposit(order, order.amount);
    order.settled = true;
    return null;
  }

  private payFromDeposit(order: Order, amount: bigint): void {
    const fee = this.orderFee(order, amount);
    order.deposit -= amount;
    this.wallet(order.payee).balance[0] += amount - fee;
    this.wallet(TREASURY).balance[0] += fee;
  }

  private covered(order: Order): Refusal | null {
    const inTime = this.now <= order.deadline && this.running() === null;
    return !order.settled && inTime && order.deposit >= order.amount ? 'depositCovered' : null;
  }

  acceptDeposit(id: string): Refusal | null {
    const order = this.orders.get(id);
    if (!order) return 'wrongKind';
    if (order.deposit === 0n) return 'zeroAmount';
    const refusal = this.covered(order);
    if (refusal) return refusal;
    this.payFromDeposit(order, order.deposit);
    return null;
  }

  returnDeposit(id: string, to: string, amount: bigint): Refusal | null {
    const order = this.orders.get(id);
    if (!order) return 'wrongKind';
    if (amount === 0n) return 'zeroAmount';
    if (order.deposit < amount) return 'depositIncomplete';
    const refusal = this.covered(order);
    if (refusal) return refusal;
    order.deposit -= amount;
    this.wallet(to).balance[0] += amount;
    return null;
  }

  refundOrder(id: string, to: string, amount: bigint): Refusal | null {
    const order = this.orders.get(id);
    if (!order) return 'wrongKind';
    if (!order.settled) return 'notSettled';
    if (amount === 0n) return 'zeroAmount';
    if (order.refunded + amount > order.amount) return 'refundTooLarge';
    if (to === order.payee) return 'invalidRecipient';
    if (this.wallet(order.payee).balance[0] < amount) return 'balanceTooLow';
    order.refunded += amount;
    this.move(order.payee, to, 0, amount);
    return null;
  }

  createPlan(id: string, creator: string, amount: bigint, period: number): Refusal | null {
    const refusal = this.running();
    if (refusal) return refusal;
    if (this.plans.has(id)) return 'exists';
    this.plans.set(id, { creator, amount, period, active: true, subscriptions: new Map() });
    return null;
  }

  setPlan(id: string, active: boolean): Refusal | null {
    const plan = this.plans.get(id);
    if (!plan) return 'wrongKind';
    if (plan.active === active) return 'invalidState';
    if (active && this.running()) return 'paused';
    plan.active = active;
    return null;
  }

  private stateOf(plan: Plan, subscription: Subscription): Subscription['state'] {
    const lapsed = subscription.state === 'active' && this.now >= subscription.next + 3 * plan.period;
    return lapsed ? 'halted' : subscription.state;
  }

  private payPlan(plan: Plan, subscriber: string): Refusal | null {
    const refusal =
      this.running() ??
      this.drawable(subscriber, 0, plan.amount) ??
      (plan.creator === subscriber ? 'invalidRecipient' : null);
    if (refusal) return refusal;
    const fee = Model.onePercent(plan.amount);
    this.draw(subscriber, plan.creator, 0, plan.amount - fee);
    this.draw(subscriber, TREASURY, 0, fee);
    return null;
  }

  subscribe(id: string, subscriber: string): Refusal | null {
    const plan = this.plans.get(id);
    if (!plan) return 'wrongKind';
    if (!plan.active) return 'planInactive';
    const before = plan.subscriptions.get(subscriber);
    if (before && this.stateOf(plan, before) === 'active') return 'alreadySubscribed';
    if (before && this.now < before.last + Math.ceil(plan.period / 2)) return 'tooSoon';
    const refusal = this.payPlan(plan, subscriber);
    if (refusal) return refusal;
    const { now } = this;
    plan.subscriptions.set(subscriber, { state: 'active', started: now, last: now, next: now + plan.period });
    return null;
  }

  charge(id: string, subscriber: string): Refusal | null {
    const plan = this.plans.get(id);
    if (!plan) return 'wrongKind';
    if (!plan.active) return 'planInactive';
    const subscription = plan.subscriptions.get(subscriber);
    if (!subscription) return 'wrongKind';
    if (this.stateOf(plan, subscription) !== 'active') return 'notActive';
    if (this.now < subscription.next) return 'tooSoon';
    const refusal = this.payPlan(plan, subscriber);
    if (refusal) return refusal;
    const elapsed = Math.floor((this.now - subscription.started) / plan.period) + 1;
    const multiple = subscription.started + elapsed * plan.period;
    subscription.next = Math.max(multiple, this.now + Math.ceil(plan.period / 2));
    subscription.last = this.now;
    return null;
  }

  cancel(id: string, subscriber: string, by: string): Refusal | null {
    const plan = this.plans.get(id);
    const subscription = plan?.subscriptions.get(subscriber);
    if (!plan || !subscription) return 'wrongKind';
    if (by !== subscriber && by !== plan.creator) return 'notSubscriberOrCreator';
    if (subscription.state === 'cancelled') return 'notActive';
    subscription.state = 'cancelled';
    return null;
  }

  halt(id: string, subscriber: string): Refusal | null {
    const plan = this.plans.get(id);
    const subscription = plan?.subscriptions.get(subscriber);
    if (!plan || !subscription) return 'wrongKind';
    if (this.stateOf(plan, subscription) !== 'active') return 'notActive';
    subscription.state = 'halted';
    return null;
  }

  closeSubscription(id: string, subscriber: string): Refusal | null {
    const plan = this.plans.get(id);
    const subscription = plan?.subscriptions.get(subscriber);
    if (!plan || !subscription) return 'wrongKind';
    const over = this.now >= subscription.last + Math.ceil(plan.period / 2);
    if (this.stateOf(plan, subscription) === 'active' || !over) return 'invalidState';
    plan.subscriptions.delete(subscriber);
    return null;
  }

  openCampaign(id: string, campaign: Omit<Campaign, 'spent' | 'closed' | 'granted'>): Refusal | null {
    const refusal = this.running();
    if (refusal) return refusal;
    if (campaign.expiry <= this.now) return 'expired';
    if (this.campaigns.has(id)) return 'exists';
    this.campaigns.set(id, { ...campaign, spent: 0n, closed: false, granted: new Set() });
    return null;
  }

  grant(id: string, index: number, to: string, amount: bigint, fee: bigint): Refusal | null {
    const refusal = this.running();
    if (refusal) return refusal;
    const campaign = this.campaigns.get(id);
    if (!campaign) return 'wrongKind';
    if (campaign.closed) return 'campaignClosed';
    if (this.now > campaign.expiry) return 'expired';
    if (this.limits.get(campaign.sponsor)?.paused) return 'senderPaused';
    if (amount === 0n) return 'zeroAmount';
    if (amount > campaign.most) return 'grantTooLarge';
    if (fee > campaign.maxFee) return 'limitFee';
    if (campaign.spent + amount + fee > campaign.total) return 'campaignExhausted';
    if (index >= campaign.recipients) return 'unknownRecipient';
    if (campaign.granted.has(index)) return 'alreadyGranted';
    const lack = this.drawable(campaign.sponsor, 0, amount + fee);
    if (lack) return lack;
    if (to === campaign.sponsor) return 'invalidRecipient';
    campaign.spent += amount + fee;
    campaign.granted.add(index);
    this.draw(campaign.sponsor, to, 0, amount);
    this.draw(campaign.sponsor, TREASURY, 0, fee);
    return null;
  }

  closeCampaign(id: string, by: string): Refusal | null {
    const campaign = this.campaigns.get(id);
    if (!campaign) return 'wrongKind';
    if (by !== campaign.sponsor && by !== 'executor') return 'notSponsorNorExecutor';
    if (campaign.closed) return 'campaignClosed';
    campaign.closed = true;
    return null;
  }
}
