// The tabs sentences in German; en/tabs.ts says what each is for.
import type { tabs as english } from '../en/tabs.ts';

export const tabs: Record<keyof typeof english, string> = {
  'ask-tab': '{$amount} {$asset} für {$recipient}, {$days} aufgehoben (ohne Gebühr, auf {$chain})',
  'ask-final-tabs':
    'Was für jemanden aufgehoben ist, kannst du zurückholen, bis es abgeholt wird. Die Frage schließt in 10 Minuten.',
  'ask-final-mixed':
    'Was an eine Wallet geht, lässt sich nicht zurückholen; was für jemanden aufgehoben ist, schon, bis es abgeholt wird. Die Frage schließt in 10 Minuten.',
  'tab-waits':
    '🎁 {$amount} {$asset} warten {$days} auf {$recipient}. {$recipient}: Verbinde dich, um sie abzuholen. {$sender} kann sie bis dahin jederzeit zurückholen. {$link}',
  'tab-waits-short': '🎁 {$amount} {$asset} warten auf {$recipient}. {$link}',
  'tabs-how':
    'Sie warten {$days}: Verbinde dich, um deinen Teil abzuholen. {$sender} kann sie bis dahin jederzeit zurückholen.',
  'tab-confirming': '· wird auf {$chain} bestätigt …',
  'tab-under-way': '⏳ {$amount} {$asset} von {$sender} für {$recipient}: unterwegs …',
  'tab-checked': '⏳ {$amount} {$asset} von {$sender} für {$recipient}: wird geprüft …',
  'tab-claimed': '✅ {$recipient} hat {$amount} {$asset} von {$sender} abgeholt. {$link}',
  'tab-went-back': '↩️ {$amount} {$asset} sind wieder bei {$sender}; {$recipient} hatte sie nicht abgeholt. {$link}',

  'button-claim': 'Verbinden und abholen',
  'button-take-back': 'Zurückholen',
  'button-your-tabs': 'Was du gesendet hast',
  'button-see-tab': 'Ansehen',
  'button-waiting': 'Ansehen, was auf dich wartet',
  'button-keep-for': 'Für {$label} aufheben',

  'tab-told-claimed': '✅ {$recipient} hat die {$amount} {$asset} abgeholt, die du aufgehoben hast.',
  'tab-told-back': '↩️ {$amount} {$asset} sind wieder in deiner Wallet; {$recipient} hatte sie nicht abgeholt.',
  'tab-reminds-recipient':
    '⏰ {$amount} {$asset} von {$sender} warten nur noch bis {$date} auf dich. Danach können sie zurückgehen. Öffne die Seite, um sie abzuholen.',
  'tab-reminds-sender':
    '⏰ {$recipient} hat deine {$amount} {$asset} noch nicht abgeholt. Am {$date} gehen sie von selbst an dich zurück.',
  'tab-name-hold':
    'Jemand, der jetzt {$recipient} heißt, möchte deine {$amount} {$asset} abholen. Namen können den Besitzer wechseln, darum warte ich bis {$date}. Wenn das nicht die gemeinte Person ist, hol es vorher zurück.',

  'pay-kept':
    '{$sender}, das merke ich mir 24 Stunden lang. Verbinde dich in unserem privaten Chat und bestätige es auf deiner Seite; vorher wird nichts abgebucht.',
  'button-connect-first': 'Verbinden',
  'waits-tabs': '🎁 Auf dich wartet: {$sums}. Hol es auf deiner Seite ab.',
  'waits-tips':
    'Du hast etwas gesendet, bevor du verbunden warst. Bestätige es auf deiner Seite, dann geht es raus; bisher wurde nichts abgebucht.',
  'waits-nothing': 'Auf dich wartet nichts mehr.',
  days: `{$days ->
    [one] einen Tag lang
   *[other] {$days} Tage lang
  }`,
};
