// The x sentences in German; en/x.ts says what each is for.
import type { x as english } from '../en/x.ts';

export const x: Record<keyof typeof english, string> = {
  'x-ask-one': '{$what} senden?',
  'x-leg': '{$amount} an {$recipient} (Gebühr {$fee}, auf {$chain})',
  'x-leg-across': '{$amount} an {$recipient} auf {$to} (Gebühr {$fee}, Brücke von {$chain} {$bridge})',
  'x-leg-tab': '{$amount} für {$recipient}, {$days} lang aufgehoben (ohne Gebühr, auf {$chain})',
  'x-how-to-answer': 'Antworte in 10 Minuten mit yes oder no. Es lässt sich nicht rückgängig machen. Ref {$reference}',
  'x-how-to-answer-tabs':
    'Antworte in 10 Minuten mit yes oder no. Du kannst es zurückholen, bis es abgeholt ist. Ref {$reference}',
  'x-asked-again': 'Ich frage noch einmal, falls es nicht ankam.',
  'x-paid-tip': '✅ {$sender} hat {$who} {$amount} gegeben (Gebühr {$fee}).',
  'x-paid-send': '✅ {$sender} hat {$amount} an {$who} gesendet (Gebühr {$fee}).',
  'x-paid-split': '✅ {$sender} hat {$who} {$amount} gegeben (Gebühr {$fee}).',
  'x-paid-each': '✅ {$sender} hat {$who} je {$amount} gegeben (Gebühren {$fee}).',
  'x-waits': '🎁 {$amount} für {$who}, von {$sender}.',
  'x-waits-each': '🎁 Je {$amount} für {$who}, von {$sender}.',
  'x-how-to-claim': 'Zum Abholen hast du {$days} Zeit: Verbinde X auf der Seite in meinem Profil.',
  'x-not-paid': '{$amount} an {$who} wurde nicht gesendet und nicht abgebucht.',
  'x-came-back':
    '↩️ {$amount} kam nicht rechtzeitig bei {$who} an und ist wieder in deiner Wallet. Die Gebühr kommt nicht zurück.',
  'x-lost': 'Korrektur: {$amount} kam nicht bei {$who} an. Dir wurde nichts abgebucht.',
  'x-reference': 'Beleg {$code}',
  'x-ref': 'Ref {$code}',
  'x-declined': 'Abgebrochen.',
  'x-kept':
    '24 Stunden lang gespeichert. Verbinde X auf der Seite in meinem Profil und bestätige dort, dann geht es raus. Dir wurde nichts abgebucht.',
  'x-in-private': 'Das hat nicht geklappt, und dir wurde nichts abgebucht. Den Grund habe ich dir geschrieben.',
  'x-unknown': '{$label} kenne ich noch nicht. Auf der Seite in meinem Profil kannst du es für diesen Namen aufheben.',
  'x-more': 'und {$count} weitere',
  'x-unconnected':
    'Verbinde zuerst deine Wallet: Antworte „connect“, oder öffne die Seite in meinem Profil. Es dauert eine Minute.',
  'x-connect-sent': 'Ich habe dir einen Link als Direktnachricht geschickt. Er ist nur für dich.',
  'x-direct-closed': 'Ich kann dir hier nicht schreiben. Öffne die Seite in meinem Profil und verbinde X dort.',
  'x-help':
    'Antworte auf einen Post mit meinem Namen und „tip 5“. In einem eigenen Post steht der Name hinter „tip“. „order 25 für Kaffee“ bittet um Geld. Mehr in meinem Profil.',
  'x-edited':
    'Du hast den Post geändert, bevor ich ihn gelesen habe, deshalb habe ich nichts getan. Poste ihn noch einmal, wenn du willst.',
  'x-answer-here': 'Antworte hier mit yes oder no.',
};
