// The account sentences in German; en/account.ts says what each is for.
import type { account as english } from '../en/account.ts';

export const account: Record<keyof typeof english, string> = {
  paused:
    '⏸ Angehalten. Ab jetzt geht aus keinem Chat mehr etwas von deiner Wallet raus. Die Chains erfahren es auch, also kann nur deine Wallet es wieder freigeben.',

  'balance-title': '@{$handle}, du hast',
  'balance-line': '{$chain}: {$amount} {$asset}',
  'balance-line-wrapped':
    '{$chain}: {$amount} {$asset} als Token (gleich viel wert; Zahlungen in {$asset} kommen daraus)',
  'balance-away': '{$chain}: antwortet gerade nicht, versuch es in einer Minute noch einmal',

  'limits-paused': '⏸ Deine Ausgaben sind angehalten. Nur deine Wallet kann sie wieder freigeben.',
  'limits-commands': 'Befehle: noch {$left} von {$all} in dieser Stunde',
  'limits-caps': 'Obergrenzen: {$command} USD pro Befehl, {$day} USD in 24 Stunden ({$spent} ausgegeben)',
  'limits-line':
    '{$chain}: {$perTip} auf einmal, noch {$left} von {$perDay} {$asset} in 24 Stunden, Rahmen {$allowance}',
  'limits-no-end': 'ohne Grenze',
  'limits-chain-paused': '{$chain} (angehalten)',
  'limits-away': '{$chain}: antwortet gerade nicht',

  'history-none': 'Noch keine Zahlungen. Fang an mit „/tip @name 1“.',
  'history-title': 'Deine letzten Zahlungen',
  'history-sent': '→ {$amount} {$asset} an {$counterparty}',
  'history-received': '← {$amount} {$asset} von {$counterparty}',
  'history-status-pending': 'unterwegs',
  'history-status-paid': 'wird bestätigt',
  'history-status-waiting': 'wartet auf Abholung',
  'history-status-returned': 'kam zurück',
  'history-status-failed': 'nicht gesendet',
  'ago-now': 'gerade eben',
  'ago-minutes': 'vor {$minutes} Min.',
  'ago-hours': 'vor {$hours} Std.',
  'ago-days': `{$days ->
    [one] vor einem Tag
   *[other] vor {$days} Tagen
  }`,
};
