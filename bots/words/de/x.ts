// The x sentences in German; en/x.ts says what each is for.
import type { x as english } from '../en/x.ts';

export const x: Record<keyof typeof english, string> = {
  'x-ask-one': 'Soll ich {$what} senden?',
  'x-ask-many': 'Soll ich das senden?',
  'x-leg': '{$amount} {$asset} an {$recipient} (Gebühr {$fee}, auf {$chain})',
  'x-leg-tab': '{$amount} {$asset} für {$recipient}, {$days} aufgehoben (ohne Gebühr, auf {$chain})',
  'x-how-to-answer': 'Antworte yes oder no, in 10 Minuten. Es lässt sich nicht zurückholen. ({$reference})',
  'x-how-to-answer-tabs':
    'Antworte yes oder no, in 10 Minuten. Du kannst es zurückholen, bis es abgeholt ist. ({$reference})',
  'x-asked-again': 'Ich frage noch einmal, das erste Mal kam vielleicht nicht an.',
  'x-paid-tip': '✅ {$sender} hat {$who} {$amount} gegeben (Gebühr {$fee}).',
  'x-paid-send': '✅ {$sender} hat {$amount} an {$who} gesendet (Gebühr {$fee}).',
  'x-paid-split': '✅ {$sender} hat {$who} {$amount} gegeben (Gebühr {$fee}).',
  'x-paid-each': '✅ {$sender} hat {$who} je {$amount} gegeben (Gebühren {$fee}).',
  'x-waits': '🎁 {$amount} von {$sender} warten auf {$who}.',
  'x-waits-each': '🎁 Je {$amount} von {$sender} warten auf {$who}.',
  'x-how-to-claim': 'Hol es ab, {$days} lang: verbinde X auf der Seite in meinem Profil.',
  'x-not-paid': '{$amount} an {$who} wurde nicht gesendet; dafür wurde nichts abgebucht.',
  'x-lost': 'Ich lag falsch: {$amount} kam nicht bei {$who} an, und es wurde nichts abgebucht.',
  'x-reference': 'Beleg {$code}',
  'x-declined': 'Abgebrochen. Es wurde nichts abgebucht.',
  'x-kept':
    'Das merke ich mir 24 Stunden lang. Verbinde X auf der Seite in meinem Profil und bestätige es dort; vorher wird nichts abgebucht.',
  'x-in-private':
    'Das wurde nicht gesendet, und es wurde nichts abgebucht. Der Grund steht in unseren Direktnachrichten.',
  'x-unknown': '{$label} kenne ich noch nicht. Auf der Seite in meinem Profil kannst du es für diesen Namen aufheben.',
  'x-more': 'und {$count} weitere',
  'x-unconnected':
    'Dein Konto hier ist noch nicht mit Ampersat verbunden. Antworte mir „connect“, oder öffne die Seite in meinem Profil: Eine Wallet genügt.',
  'x-connect-sent':
    'Ich habe dir einen Link als Direktnachricht geschickt. Er ist nur für dich, darum steht er nicht hier.',
  'x-direct-closed': 'Ich kann dir nicht direkt schreiben. Öffne die Seite in meinem Profil und verbinde X dort.',
  'x-help':
    'Erwähne mich mit „tip @name 5“, oder antworte auf einen Post mit „tip 5“. „send 0x… 20 on base“ zahlt an eine Adresse, „order 25 for coffee“ bittet um Geld. Mehr in meinem Profil.',
  'x-edited':
    'Der Post wurde geändert, bevor ich ihn gelesen habe, deshalb habe ich nichts getan. Poste ihn neu, wenn du noch willst.',
  'x-answer-here': 'Antworte hier mit yes oder no.',
};
