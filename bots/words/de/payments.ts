// The payments sentences in German; en/payments.ts says what each is for.
import type { payments as english } from '../en/payments.ts';

export const payments: Record<keyof typeof english, string> = {
  'pay-under-way': '⏳ {$sender}, ist unterwegs …',
  'pay-waits-for-chain':
    '⏳ {$chain} antwortet gerade nicht. {$sender}, deine Zahlung ist vorgemerkt und geht von selbst raus; es wurde noch nichts abgebucht.',
  'pay-waits':
    '⏳ Das Netz antwortet gerade nicht. {$sender}, deine Zahlung ist vorgemerkt und geht von selbst raus; es wurde noch nichts abgebucht.',
  'pay-declined': 'Von {$sender} abgebrochen. Es wurde nichts abgebucht.',
  'pay-lapsed': '{$sender} hat nicht rechtzeitig geantwortet. Es wurde nichts abgebucht; schreib es noch einmal.',
  'pay-not-sent': 'Das wurde nicht gesendet. Es wurde nichts abgebucht.',
  'pay-refused-in-private':
    '{$sender}, das wurde nicht gesendet, und es wurde nichts abgebucht. Den Grund findest du in unserem privaten Chat.',
  'pay-refused-beside': '{$sender}, das wurde nicht gesendet, und es wurde nichts abgebucht. Den Grund siehst nur du.',

  'ask-send': '{$sender}, soll ich das senden?',
  'ask-leg': '{$amount} {$asset} an {$recipient} (Gebühr {$fee}, auf {$chain})',
  'ask-final': 'Das lässt sich nicht zurückholen. Die Frage schließt in 10 Minuten.',
  'ask-why-large_amount': 'Ich frage, weil es mehr als 50 USD sind.',
  'ask-why-large_fee': 'Ich frage, weil die Gebühr mehr als ein Zehntel davon ist.',
  'ask-why-username_changed': 'Vorsicht: Dieser Benutzername gehörte in den letzten 30 Tagen jemand anderem.',
  'ask-why-username_stale': 'Vorsicht: Diesen Benutzernamen habe ich seit über einem Tag nicht gesehen.',
  'button-send': 'Senden',
  'button-cancel': 'Abbrechen',

  'leg-tip': '{$sender} hat {$recipient} {$amount} {$asset} gegeben (Gebühr {$fee})',
  'leg-tip-on-chain': '{$sender} hat {$recipient} {$amount} {$asset} gegeben (Gebühr {$fee}, auf {$chain})',
  'leg-send': '{$sender} hat {$amount} {$asset} an {$recipient} gesendet (Gebühr {$fee})',
  'leg-send-on-chain': '{$sender} hat {$amount} {$asset} an {$recipient} gesendet (Gebühr {$fee}, auf {$chain})',
  'leg-split': '{$sender} hat {$recipient} {$amount} {$asset} gegeben (Gebühr {$fee})',
  'leg-split-on-chain': '{$sender} hat {$recipient} {$amount} {$asset} gegeben (Gebühr {$fee}, auf {$chain})',
  'leg-under-way': '⏳ {$what}: ist unterwegs …',
  'leg-checked': '⏳ {$what}: wird geprüft …',
  'leg-confirming': '✅ {$what}. {$link} · wird auf {$chain} bestätigt …',
  'leg-done': '✅ {$what}. {$link}',
  'leg-failed':
    '{$amount} {$asset} von {$sender} an {$recipient} wurden nicht gesendet; es wurde nichts abgebucht. {$hint}',
  'leg-link': 'Ansehen {$hash}',
  'hint-expired': 'Es ging nicht innerhalb von 15 Minuten; schreib es noch einmal.',
  'hint-disconnected': 'Das Konto wurde getrennt, bevor es unterschrieben war.',
  'hint-paused': 'Zahlungen ruhen im Moment; versuch es später.',
  'hint-check': 'Schau in unserem privaten Chat nach /balance und /limits, dann schreib es noch einmal.',

  'press-confirmed': 'Verstanden, ich prüfe …',
  'press-declined': 'Abgebrochen. Es wurde nichts abgebucht.',
  'press-not_yours': 'Das kann nur beantworten, wer es geschrieben hat.',
  'press-too_late': 'Diese Frage ist geschlossen.',
  'press-too_early': 'Einen Moment, dann drück noch einmal.',

  'pay-chain-slow':
    '⏳ {$chain} ist gerade langsam. {$sender}, deine Zahlung ist gespeichert und geht von selbst raus.',
};
