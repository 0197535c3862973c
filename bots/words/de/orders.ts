// The orders sentences in German; en/orders.ts says what each is for.
import type { orders as english } from '../en/orders.ts';

export const orders: Record<keyof typeof english, string> = {
  'order-open': '🧾 {$handle}@ampersat bittet um {$amount} auf {$chain}.',
  'order-what': 'Für: {$what}',
  'order-pay': 'Bezahlen können alle bis {$date}: {$link}',
  'order-processing': '⏳ {$amount} für {$handle}@ampersat: Eine Zahlung ist unterwegs …',
  'order-completed': '✅ {$handle}@ampersat hat {$amount} bekommen.',
  'order-cancelled': '{$handle}@ampersat hat diese Bitte um {$amount} zurückgezogen. Bitte bezahl sie nicht mehr.',
  'order-expired': 'Diese Bitte um {$amount} ist abgelaufen. Bitte {$handle}@ampersat um einen neuen Link.',

  'order-told-paid': '✅ Deine Bestellung über {$amount} ist bezahlt.',
  'order-told-expired': '⌛ Deine Bestellung über {$amount} ist unbezahlt abgelaufen.',
  'order-told-expired-part':
    '⌛ Deine Bestellung über {$amount} ist abgelaufen, bezahlt sind nur {$received}. Auf der Seite der Bestellung kannst du das zurückschicken.',
  'order-told-part': '⚠️ {$received} von {$amount} sind da. Bis {$date} fehlen noch {$due}.',
  'order-told-stray':
    '⚠️ Für deine Bestellung über {$amount} kamen {$stray} an, die nicht zählen: zu spät, ein anderer Betrag oder doppelt bezahlt. Auf der Seite der Bestellung kannst du das zurückschicken.',
  'order-told-other':
    '⚠️ Für deine Bestellung über {$amount} kam etwas anderes als {$currency} an. Das zählt nicht. Mehr auf der Seite der Bestellung.',
  'order-number': 'Bestellung {$id}',

  'button-pay-order': '{$amount} bezahlen',
  'button-cancel-order': 'Bestellung zurückziehen',
  'button-order-receipt': 'Beleg ansehen',
  'button-your-order': 'Bestellung ansehen',
  'press-order_cancelled': 'Zurückgezogen. Bezahlen geht nicht mehr.',

  'error-order_amount_missing': 'Wie viel? Versuch {$order}.',
  'error-order_recipient': 'Eine Bestellung hat keinen Empfänger: Bezahlen können alle mit dem Link. Versuch {$order}.',
  'error-order_range': 'Eine Bestellung muss zwischen 0,01 $ und 1.000.000 $ liegen.',
  'error-order_chain':
    'In diesem Netzwerk kann ich keine Bestellungen anlegen. Lass das Netzwerk weg oder nenn ein anderes.',
  'error-order_asset': 'Das gibt es in diesem Netzwerk nicht. Lass das Netzwerk weg oder bitte um USDC.',
  'error-order_no_wallet':
    'Für dieses Netzwerk hast du noch keine Wallet. Nenn ein anderes Netzwerk oder füg in den Einstellungen eine Wallet hinzu.',
  'error-order_price':
    'Dafür habe ich gerade keinen aktuellen Preis. Bitte um USDC, oder versuch es in ein paar Minuten noch einmal.',
  'error-order_refused':
    'Die Bestellung hat nicht geklappt. Versuch es auf der Seite deiner Bestellungen; dort steht, was fehlt.',
  'error-order_note':
    'Diese Notiz kann ich nicht zeigen: Sie ist zu lang oder hat versteckte Zeichen. Tipp sie von Hand.',
  'error-orders_limited': 'Das war deine dreißigste Bestellung in dieser Stunde. Die nächste geht {$when}.',

  'x-order-direct':
    '🧾 Deine Bestellung über {$amount} auf {$chain} ist bereit: {$id}. Den Link habe ich dir als Direktnachricht geschickt.',
  'x-order-page':
    '🧾 Deine Bestellung über {$amount} auf {$chain} ist bereit: {$id}. Der Link steht auf der Seite deiner Bestellungen; die Adresse ist in meinem Profil.',
};
