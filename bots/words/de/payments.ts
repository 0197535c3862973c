// The payments sentences in German; en/payments.ts says what each is for.
import type { payments as english } from '../en/payments.ts';

export const payments: Record<keyof typeof english, string> = {
  'pay-under-way': '⏳ {$sender}, ist unterwegs …',
  'pay-waits-for-chain':
    '⏳ {$chain} ist gerade langsam. {$sender}, deine Zahlung ist gespeichert und geht von selbst raus. Dir wurde noch nichts abgebucht.',
  'pay-waits':
    '⏳ Das Netzwerk ist gerade langsam. {$sender}, deine Zahlung ist gespeichert und geht von selbst raus. Dir wurde noch nichts abgebucht.',
  'pay-declined': 'Von {$sender} abgebrochen.',
  'pay-lapsed':
    '{$sender} hat nicht rechtzeitig geantwortet, deshalb wurde nichts gesendet. Schreib es noch einmal, um es zu senden.',
  'pay-not-sent': 'Das hat nicht geklappt. Dir wurde nichts abgebucht.',
  'pay-refused-in-private':
    '{$sender}, das hat nicht geklappt, und dir wurde nichts abgebucht. Den Grund habe ich dir geschrieben.',
  'pay-refused-beside': '{$sender}, das hat nicht geklappt, und dir wurde nichts abgebucht. Den Grund siehst nur du.',

  'ask-send': '{$sender}, das senden?',
  'ask-leg': '{$amount} an {$recipient} (Gebühr {$fee}, auf {$chain})',
  'ask-leg-across': '{$amount} an {$recipient} auf {$to} (Gebühr {$fee}, dazu {$bridge} für die Brücke von {$chain})',
  'ask-final': 'Das lässt sich nicht rückgängig machen. Die Frage gilt 10 Minuten.',
  'ask-why-large_amount': 'Über 50 $ frage ich immer nach.',
  'ask-why-large_fee': 'Die Gebühr ist mehr als ein Zehntel des Betrags.',
  'ask-why-username_changed': 'Vorsicht: Dieser Benutzername gehörte in den letzten 30 Tagen jemand anderem.',
  'ask-why-username_stale': 'Vorsicht: Diesen Benutzernamen habe ich seit über einem Tag nicht gesehen.',
  'button-send': 'Senden',
  'button-cancel': 'Abbrechen',

  'leg-tip': '{$sender} hat {$recipient} {$amount} gegeben (Gebühr {$fee})',
  'leg-tip-on-chain': '{$sender} hat {$recipient} {$amount} gegeben (Gebühr {$fee}, auf {$chain})',
  'leg-tip-across':
    '{$sender} hat {$recipient} {$amount} gegeben (Gebühr {$fee}, dazu {$bridge} für die Brücke von {$chain})',
  'leg-send': '{$sender} hat {$amount} an {$recipient} gesendet (Gebühr {$fee})',
  'leg-send-on-chain': '{$sender} hat {$amount} an {$recipient} gesendet (Gebühr {$fee}, auf {$chain})',
  'leg-send-across':
    '{$sender} hat {$amount} an {$recipient} gesendet (Gebühr {$fee}, dazu {$bridge} für die Brücke von {$chain})',
  'leg-split': '{$sender} hat {$recipient} {$amount} gegeben (Gebühr {$fee})',
  'leg-split-on-chain': '{$sender} hat {$recipient} {$amount} gegeben (Gebühr {$fee}, auf {$chain})',
  'leg-split-across':
    '{$sender} hat {$recipient} {$amount} gegeben (Gebühr {$fee}, dazu {$bridge} für die Brücke von {$chain})',
  'leg-under-way': '⏳ {$what}: ist unterwegs …',
  'leg-checked': '⏳ {$what}: wird geprüft …',
  'leg-confirming': '✅ {$what}. {$link} · wird auf {$chain} bestätigt …',
  'leg-done': '✅ {$what}. {$link}',
  'leg-crossing': '⏳ {$what}: ist auf dem Weg zu {$to}. {$link}',
  'leg-arrived': '✅ {$what}: auf {$to} angekommen. {$link}',
  'plus-bridge': 'Dazu {$bridge} für die Brücke.',
  'leg-came-back':
    '↩️ {$amount} für {$recipient} kam auf {$to} nicht rechtzeitig an und ist wieder in der Wallet von {$sender}. Die Gebühr kommt nicht zurück. {$link}',
  'leg-failed': '{$amount} von {$sender} an {$recipient} kam nicht durch. {$sender} wurde nichts abgebucht. {$hint}',
  'leg-link': 'Ansehen {$hash}',
  'hint-expired': 'Es hat länger als 15 Minuten gedauert. Schreib es noch einmal.',
  'hint-disconnected': 'Das Konto wurde vorher getrennt.',
  'hint-paused': 'Zahlungen sind gerade pausiert. Versuch es später noch einmal.',
  'hint-check': 'Schau in unserem Chat nach /balance und /limits, dann schreib es noch einmal.',

  'press-confirmed': 'Alles klar, ich prüfe …',
  'press-declined': 'Abgebrochen. Dir wurde nichts abgebucht.',
  'press-not_yours': 'Antworten kann nur, wer das geschrieben hat.',
  'press-too_late': 'Diese Frage ist abgelaufen.',
  'press-too_early': 'Einen Moment, dann drück noch einmal.',

  'pay-chain-slow':
    '⏳ {$chain} ist gerade langsam. {$sender}, deine Zahlung ist gespeichert und geht von selbst raus.',
};
