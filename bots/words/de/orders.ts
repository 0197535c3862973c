// The orders sentences in German; en/orders.ts says what each is for.
import type { orders as english } from '../en/orders.ts';

export const orders: Record<keyof typeof english, string> = {
  'order-open': '🧾 {$handle}@ampersat bittet um {$amount} {$currency} auf {$chain}.',
  'order-what': 'Für: {$what}',
  'order-pay': 'Wer diesen Link öffnet, kann bis {$date} bezahlen: {$link}',
  'order-processing': '⏳ {$amount} {$currency} für {$handle}@ampersat: Eine Zahlung ist unterwegs.',
  'order-completed': '✅ {$handle}@ampersat hat die {$amount} {$currency} bekommen.',
  'order-cancelled':
    '{$handle}@ampersat hat diese Bestellung über {$amount} {$currency} zurückgenommen. Bitte bezahl sie nicht mehr.',
  'order-expired': 'Diese Bestellung über {$amount} {$currency} ist vorbei. Bitte bezahl sie nicht mehr.',

  'order-told-paid': '✅ Deine Bestellung über {$amount} {$currency} ist bezahlt.',
  'order-told-expired': '⌛ Deine Bestellung über {$amount} {$currency} ist vorbei: Niemand hat rechtzeitig bezahlt.',
  'order-told-expired-part':
    '⌛ Deine Bestellung über {$amount} {$currency} ist vorbei. {$received} {$currency} kamen dafür an und haben sie nicht abgeschlossen; auf der Seite der Bestellung steht, wie du sie zurückschickst.',
  'order-told-part':
    '⚠️ {$received} von {$amount} {$currency} kamen bisher für deine Bestellung an; {$due} {$currency} fehlen, bis {$date}.',
  'order-told-stray':
    '⚠️ {$stray} {$currency} kamen für deine Bestellung über {$amount} {$currency} an und zählen nicht: zu spät, ein anderer Betrag oder einmal zu viel. Auf der Seite der Bestellung stehen sie, und wie du sie zurückschickst.',
  'order-told-other':
    '⚠️ Für deine Bestellung über {$amount} {$currency} kam etwas anderes als {$currency} an; das zählt nicht. Auf der Seite der Bestellung steht es.',
  'order-number': 'Bestellung {$id}',

  'button-pay-order': '{$amount} {$currency} bezahlen',
  'button-cancel-order': 'Bestellung zurücknehmen',
  'button-order-receipt': 'Beleg ansehen',
  'button-your-order': 'Bestellung ansehen',
  'press-order_cancelled': 'Zurückgenommen. Niemand kann sie mehr bezahlen.',

  'error-order_amount_missing': 'Wie viel? Versuch „/order 25 for coffee“.',
  'error-order_recipient':
    'Eine Bestellung nennt niemanden: Bezahlen kann, wer ihren Link öffnet. Lass den Namen oder die Adresse weg, etwa „/order 25 for coffee“.',
  'error-order_range': 'Eine Bestellung muss zwischen 0.01 und 1,000,000 USD wert sein.',
  'error-order_chain': 'Auf dieser Chain nehme ich keine Bestellungen an. Lass die Chain weg, oder nenn eine andere.',
  'error-order_asset': 'Diese Münze gibt es auf dieser Chain nicht. Lass die Chain weg, oder nenn eine andere.',
  'error-order_no_wallet':
    'Auf dieser Chain kannst du nicht bezahlt werden: Dein Konto hat dort keine Wallet, von der ich weiß, dass sie geht. Nenn eine andere Chain, oder füge auf der Seite mit den Einstellungen eine hinzu.',
  'error-order_price':
    'Für diese Münze habe ich gerade keinen frischen Preis. Bitte um USDC, oder versuch es in ein paar Minuten wieder.',
  'error-order_refused':
    'Diese Bestellung ging nicht. Versuch es auf der Seite deiner Bestellungen; dort steht, was fehlt.',
  'error-order_note':
    'Diese Notiz kann ich nicht zeigen: Sie ist zu lang oder hat versteckte Zeichen. Tipp sie von Hand.',
  'error-orders_limited': 'Du hast in einer Stunde um 30 Bestellungen gebeten. Die nächste geht {$when}.',

  'x-order-direct':
    '🧾 Deine Bestellung über {$amount} {$currency} auf {$chain} ist bereit: {$id}. Der Link steht in unseren Direktnachrichten und auf der Seite deiner Bestellungen.',
  'x-order-page':
    '🧾 Deine Bestellung über {$amount} {$currency} auf {$chain} ist bereit: {$id}. Der Link steht auf der Seite deiner Bestellungen; die Adresse steht in meinem Profil.',
};
