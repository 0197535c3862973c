// What operators are alerted of: every kind, what it means and what to do about it. The documentation and the page show these words.

export type AlertKind =
  | 'executor_low'
  | 'executor_paused'
  | 'executor_powerless'
  | 'queue_jam'
  | 'reorg'
  | 'price_stale'
  | 'rpc_down'
  | 'chain_refused'
  | 'chain_blocked'
  | 'role_announced'
  | 'process_silent'
  | 'x_halted'
  | 'x_login'
  | 'tip_lost'
  | 'payment_lost'
  | 'indexer_behind'
  | 'webhooks_behind'
  | 'bridge_away'
  | 'filler_silent'
  | 'leg_stuck'
  | 'transfer_waits'
  | 'watchdog_paused'
  | 'watchdog_behind'
  | 'watchdog_powerless';

type AlertRow = { title: string; advice: string };

export const ALERTS: Readonly<Record<AlertKind, AlertRow>> = {
  executor_low: {
    title: 'An executor key is low on gas',
    advice: 'Send native currency of that chain to the address. Payments go on through the other keys meanwhile.',
  },
  executor_paused: {
    title: 'An executor key is out of use',
    advice:
      'Read the reason. Lack of gas heals itself once the key is funded; otherwise put it back when the cause is gone.',
  },
  executor_powerless: {
    title: 'An executor key may not act',
    advice:
      'Have the owner add it as an executor; it acts a day later. Payments go on through the other keys, if there are any.',
  },
  queue_jam: {
    title: 'Work waits for too long',
    advice:
      'See which step waits. Check that workers and bots run, then the chain or the platform that the step needs.',
  },
  reorg: {
    title: 'A chain took blocks back',
    advice:
      'Nothing to do: the same transactions go out again and pay once. If it happens often, raise the confirmations.',
  },
  price_stale: {
    title: 'A price cannot be used',
    advice: 'Tips in the native asset are refused until its feeds agree and are fresh. Tips in USDC are not affected.',
  },
  rpc_down: {
    title: 'An RPC endpoint is of no use',
    advice: 'Ask its provider, or name another endpoint. While another endpoint of the chain is well, work goes on.',
  },
  chain_refused: {
    title: 'A chain is not served',
    advice:
      'It is not what the configuration or the registry says. Correct CHAINS_FILE or the endpoint and restart; payments on it wait meanwhile.',
  },
  chain_blocked: {
    title: 'A chain takes no new payments',
    advice:
      'Read why. A pause ends by itself or by the owner; refunds go on meanwhile. For a token account of the treasury, create it or have its freeze lifted, or let the owner name another treasury.',
  },
  role_announced: {
    title: 'A role of a chain’s program is about to change',
    advice:
      'If it was you, follow the steps in the documentation before it is in force. If not, the owner’s key is stolen: pause, and tell people to revoke.',
  },
  process_silent: {
    title: 'A process does not run',
    advice: 'Look at its log and start it again. Nothing is lost: what waits is found in the rows.',
  },
  x_halted: {
    title: 'X is not read',
    advice:
      'Receipts still go out. Budget used: raise X_DAILY_BUDGET_USD of the bots and restart them; reading then continues automatically. No credit: buy some, then run `ampersat x resume` or press Resume on this page. Otherwise reading goes on at 00:00 UTC.',
  },
  x_login: {
    title: 'The bot cannot renew its login at X',
    advice:
      'Let the bot’s account agree again and set the new X_BOT_REFRESH_TOKEN. Until the last token ends, all goes on.',
  },
  tip_lost: {
    title: 'A paid tip was lost with its block',
    advice:
      'The chain dropped a final block and refuses the payment now. Talk to the sender and the recipient, then close this.',
  },
  payment_lost: {
    title: 'The payment of a completed order was lost with its block',
    advice:
      'The chain dropped a final block and has not shown the payment since. The order stays completed: talk to the merchant and the payer, then close this.',
  },
  indexer_behind: {
    title: 'Final blocks are not indexed',
    advice:
      'Orders and tabs of the chain wait. See whether workers run, whether its endpoints answer, and whether two of them show the same blocks. It catches up automatically after an outage.',
  },
  webhooks_behind: {
    title: 'Webhooks are late by our own fault',
    advice:
      'See whether workers run and have WEBHOOK_KEY, then WEBHOOK_PROXY and the name servers. Nothing is lost: what waits goes out once it works.',
  },
  bridge_away: {
    title: 'A bridge does not answer',
    advice:
      'Its ways to pay are not offered, and tips to other chains over it are refused; what is on its way is followed on the chains. See the bridge’s status page, and the key and the address of its API.',
  },
  filler_silent: {
    title: 'A bridge does not deliver',
    advice:
      'Payments over this route wait. Nothing is lost: what is not delivered in time goes back to its payer. See the bridge’s status page; if it lasts, remove that bridge from one of the two chains in CHAINS_FILE and restart the API.',
  },
  leg_stuck: {
    title: 'A part of a smart payment does not end',
    advice:
      'The payer’s money left its wallet, and neither arrived nor came back. Ask the bridge with the request’s ID; the runbook says how.',
  },
  transfer_waits: {
    title: 'Money waits in the treasury',
    advice:
      'Open Transfers on the operations page. Return what names no order to its sender; for what names one, read why it is not passed on.',
  },
  watchdog_paused: {
    title: 'An executor’s power was used by a transaction that is not ours',
    advice:
      'Treat the key as stolen: the watchdog pauses the bot router (on Solana the program), and the runbook “A key was used elsewhere” says what to do. Have the owner unpause only then, and close this.',
  },
  watchdog_behind: {
    title: 'The watchdog does not see what happens on a chain',
    advice:
      'See whether it runs and whether the endpoint answers. The chain’s other endpoints are watched meanwhile; with none of them, a stolen executor key would go unnoticed.',
  },
  watchdog_powerless: {
    title: 'The watchdog could not pause a chain',
    advice:
      'Give the watchdog the key of the guardian that the router or the program names, or have the owner name this one, and send the guardian native currency of that chain.',
  },
};

export const ALERT_KINDS = Object.keys(ALERTS) as AlertKind[];
/** Kinds that tell of an event and stay open until an operator closes them. */
export const CLOSED_BY_HAND: readonly AlertKind[] = ['tip_lost', 'payment_lost', 'watchdog_paused'];
