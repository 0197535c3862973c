// The subscriptions sentences in German; en/subscriptions.ts says what each is for.
import type { subscriptions as english } from '../en/subscriptions.ts';

export const subscriptions: Record<keyof typeof english, string> = {
  'sub-failing-balance':
    '⚠️ {$amount} für {$plan} ({$creator}) konnte ich nicht abbuchen: Deine Wallet auf {$chain} hat nicht genug USDC. Ich versuche es wieder.',
  'sub-failing-allowance':
    '⚠️ {$amount} für {$plan} ({$creator}) konnte ich nicht abbuchen: Deine Freigabe auf {$chain} ist aufgebraucht. Verlängere sie, dann versuche ich es wieder.',
  'sub-failing-last': 'Letzte Erinnerung: Ohne die Abbuchung endet das Abo am {$date}.',
  'sub-failing-until': 'Klappt es weiter nicht, endet das Abo am {$date}.',
  'sub-halted':
    '⛔ Dein Abo von {$plan} ({$creator}) ist beendet, weil es unbezahlt blieb. Es wird nichts mehr abgebucht.',
  'sub-cancelled': 'Dein Abo von {$plan} wurde von {$creator} gekündigt. Es wird nichts mehr abgebucht.',
  'sub-low':
    'ℹ️ Deine Freigabe für {$plan} ({$creator}) reicht für weniger als zwei weitere Abbuchungen von {$amount}. Verlängere sie mit einer Signatur.',
  'sub-charged': '✅ {$amount} für {$plan} ({$creator}) auf {$chain} abgebucht, die {$number}. Abbuchung.',
  'sub-next': 'Die nächste kommt am {$date}.',
  'sub-price':
    'ℹ️ {$creator} hat einen neuen Preis für {$plan}: {$price}. Du zahlst weiter {$amount}, solange du nicht wechselst; was bezahlt ist, bleibt bezahlt.',
  'subs-title': 'Deine Abos:',
  'subs-line': '{$plan} ({$creator}) auf {$chain}: {$amount}, das nächste Mal am {$date}',
  'subs-line-failing': '⚠️ {$plan} ({$creator}) auf {$chain}: {$amount} konnte ich nicht abbuchen',
  'subs-more': '… und {$count} weitere auf der Seite.',
  'subs-none': 'Du hast keine Abos.',
  'grant-waits':
    '🎁 {$sponsor} hat {$amount} für dich ({$campaign}, auf {$chain}). Verbinde bis zum {$date} ein Konto, dann bekommst du es.',
  'grant-paid': '🎁 {$sponsor} hat dir {$amount} gezahlt ({$campaign}, auf {$chain}).',
  'grant-over': '{$amount} von {$sponsor} ({$campaign}) kann nicht mehr gezahlt werden.',
  'plan-form': 'Prüfe die Angaben und lege das Abo dann mit deiner Wallet an.',
  'button-plan': 'Formular öffnen',
  'button-subscriptions': 'Deine Abos',
};
