// The account sentences in German; en/account.ts says what each is for.
import type { account as english } from '../en/account.ts';

export const account: Record<keyof typeof english, string> = {
  paused: '⏸ Alle Ausgaben sind aus, in jedem Chat. Zum Einschalten melde dich mit deiner Wallet an.',

  'balance-title': 'Dein Guthaben, {$handle}@ampersat',
  'balance-total': 'Insgesamt: {$total}',
  'balance-total-test': 'Testgeld: {$total}',
  'balance-without': 'Ohne {$what}',
  'balance-line': '{$chain}: {$amount}',
  'balance-line-wrapped': '{$chain}: {$amount}, verpackt (gleich viel wert; was ich in {$asset} sende, kommt von hier)',
  'balance-away': '{$chain}: antwortet gerade nicht. Versuch es in einer Minute noch einmal.',

  'deposit-page':
    'Die Adresse deiner Wallet, ihr QR-Code und die Netzwerke, auf denen sie Geld annimmt, stehen auf deiner Seite.',
  'withdraw-page':
    'Das Geld liegt in deiner eigenen Wallet. Sende es von deiner Seite an einen Handle oder eine Adresse; dort bestätigst du es.',
  'button-deposit': 'Geld empfangen',
  'button-withdraw': 'Geld senden',

  'me-page': 'Deine Seite: {$url}\n    Dort kann dich jeder bezahlen.',
  'me-off': 'Du hast noch keine Seite. Schalte sie ein, dann kann jeder @{$handle} über einen Link bezahlen.',

  'limits-paused': '⏸ Deine Ausgaben sind aus. Nur deine Wallet kann sie wieder einschalten.',
  'limits-commands': 'Befehle: noch {$open} von {$all} in dieser Stunde',
  'limits-caps': 'Limits: {$perCommand} pro Befehl, {$perDay} pro Tag ({$spent} verbraucht)',
  'limits-line': '{$chain}: {$perTip} pro Zahlung, heute noch {$left} von {$perDay}, freigegeben: {$allowance}',
  'limits-no-end': 'ohne Limit',
  'limits-chain-paused': '{$chain} (aus)',
  'limits-away': '{$chain}: antwortet gerade nicht',

  'history-none': 'Noch keine Zahlungen. Fang an mit {$tip}.',
  'history-title': 'Deine letzten Zahlungen',
  'history-sent': '→ {$amount} an {$counterparty}',
  'history-received': '← {$amount} von {$counterparty}',
  'history-status-pending': 'unterwegs',
  'history-status-paid': 'wird bestätigt',
  'history-status-waiting': 'noch nicht abgeholt',
  'history-status-crossing': 'auf dem Weg in ein anderes Netzwerk',
  'history-status-returned': 'zurückgegangen',
  'history-status-failed': 'nicht gesendet',
  'ago-now': 'gerade eben',
  'ago-minutes': 'vor {$minutes} Min.',
  'ago-hours': 'vor {$hours} Std.',
  'ago-days': `{$days ->
    [one] vor einem Tag
   *[other] vor {$days} Tagen
  }`,
};
