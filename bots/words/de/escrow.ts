// The tabs sentences in German; en/escrow.ts says what each is for.
import type { escrow as english } from '../en/escrow.ts';

export const escrow: Record<keyof typeof english, string> = {
  'ask-tab': '{$amount} für {$recipient}, {$days} lang aufgehoben (ohne Gebühr, auf {$chain})',
  'ask-final-tabs': 'Du kannst es zurückholen, bis es abgeholt ist. Die Frage gilt 10 Minuten.',
  'ask-final-mixed':
    'Zahlungen an eine Wallet lassen sich nicht rückgängig machen. Was ich aufhebe, kannst du zurückholen, bis es abgeholt ist. Die Frage gilt 10 Minuten.',
  'tab-waits': '🎁 {$amount} für {$recipient}, von {$sender}. Zum Abholen hast du {$days} Zeit. {$link}',
  'tab-waits-short': '🎁 {$amount} für {$recipient}. {$link}',
  'tabs-how': 'Zum Abholen hast du {$days} Zeit. Bis dahin kann {$sender} es zurückholen.',
  'tab-confirming': '· wird auf {$chain} bestätigt …',
  'tab-under-way': '⏳ {$amount} von {$sender} für {$recipient}: unterwegs …',
  'tab-checked': '⏳ {$amount} von {$sender} für {$recipient}: wird geprüft …',
  'tab-claimed': '✅ {$recipient} hat {$amount} von {$sender} abgeholt. {$link}',
  'tab-went-back': '↩️ {$amount} ging zurück an {$sender}. {$recipient} hatte es nicht abgeholt. {$link}',

  'button-claim': 'Verbinden und abholen',
  'button-take-back': 'Zurückholen',
  'button-your-tabs': 'Was du gesendet hast',
  'button-see-tab': 'Ansehen',
  'button-waiting': 'Ansehen, was auf dich wartet',
  'button-keep-for': 'Für {$label} aufheben',

  'tab-told-claimed': '✅ {$recipient} hat deine {$amount} abgeholt.',
  'tab-told-back': '↩️ {$amount} ist wieder in deiner Wallet. {$recipient} hatte es nicht abgeholt.',
  'tab-reminds-recipient':
    '⏰ {$sender} hat dir {$amount} gesendet. Hol es bis {$date} ab, danach kann es zurückgehen.',
  'tab-reminds-sender': '⏰ {$recipient} hat deine {$amount} noch nicht abgeholt. Am {$date} kommt es zu dir zurück.',
  'tab-name-hold':
    'Jemand, der jetzt {$recipient} heißt, möchte deine {$amount} abholen. Benutzernamen können den Besitzer wechseln, deshalb halte ich es bis {$date} zurück. Wenn das nicht die Person ist, die du gemeint hast, hol es vorher zurück.',

  'pay-kept':
    '{$sender}, 24 Stunden lang gespeichert. Verbinde dich und bestätige, dann geht es raus. Dir wurde nichts abgebucht.',
  'button-connect-first': 'Verbinden',
  'waits-tabs': '🎁 Auf dich wartet: {$list}. Hol es auf deiner Seite ab.',
  'waits-tips':
    'Du hast etwas gesendet, bevor du verbunden warst. Bestätige es auf deiner Seite, dann geht es raus. Dir wurde nichts abgebucht.',
  'waits-nothing': 'Auf dich wartet nichts.',
  days: `{$days ->
    [one] einen Tag
   *[other] {$days} Tage
  }`,
};
