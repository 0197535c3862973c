// Orders that a seller asks for in a chat: the link, what becomes of it, and money that did not count. Never who paid.

export const orders = {
  'order-open': '🧾 {$handle}@ampersat asks for {$amount} {$currency} on {$chain}.',
  'order-what': 'For: {$what}',
  'order-pay': 'Whoever opens this link can pay it until {$date}: {$link}',
  'order-processing': '⏳ {$amount} {$currency} for {$handle}@ampersat: a payment is on its way.',
  'order-completed': '✅ {$handle}@ampersat got the {$amount} {$currency}.',
  'order-cancelled': '{$handle}@ampersat took this order of {$amount} {$currency} back. Please do not pay it any more.',
  'order-expired': 'This order of {$amount} {$currency} is over. Please do not pay it any more.',

  'order-told-paid': '✅ Your order of {$amount} {$currency} is paid.',
  'order-told-expired': '⌛ Your order of {$amount} {$currency} is over: nobody paid it in time.',
  'order-told-expired-part':
    '⌛ Your order of {$amount} {$currency} is over. {$received} {$currency} came for it and did not complete it; your page of the order shows how to send that back.',
  'order-told-part':
    '⚠️ {$received} of {$amount} {$currency} came for your order so far; {$due} {$currency} are missing, until {$date}.',
  'order-told-stray':
    '⚠️ {$stray} {$currency} came for your order of {$amount} {$currency} and could not be counted: too late, in another amount or once too often. Your page of the order shows it, and how to send it back.',
  'order-told-other':
    '⚠️ Something other than {$currency} came for your order of {$amount} {$currency} and could not be counted. Your page of the order shows it.',
  'order-number': 'Order {$id}',

  'button-pay-order': 'Pay {$amount} {$currency}',
  'button-cancel-order': 'Cancel order',
  'button-order-receipt': 'See the receipt',
  'button-your-order': 'See your order',
  'press-order_cancelled': 'Cancelled. Nobody can pay it any more.',

  'error-order_amount_missing': 'How much? Try “/order 25 for coffee”.',
  'error-order_recipient':
    'An order names nobody: whoever opens its link can pay it. Leave the name or address out, like “/order 25 for coffee”.',
  'error-order_range': 'An order has to be worth between 0.01 and 1,000,000 USD.',
  'error-order_chain': 'I take no orders on that chain. Leave the chain out, or name another one.',
  'error-order_asset': 'That coin does not live on that chain. Leave the chain out, or name another one.',
  'error-order_no_wallet':
    'You cannot be paid on that chain: your account has no wallet there that I know to work. Name another chain, or add one on the settings page.',
  'error-order_price': 'I have no fresh price for that coin right now. Ask for USDC, or again in a few minutes.',
  'error-order_refused': 'I could not make that order. Try it on the page of your orders; it says what is missing.',
  'error-order_note': 'I cannot show that note: it is too long, or has hidden characters. Type it by hand.',
  'error-orders_limited': 'You have asked for 30 orders within an hour. You can ask for the next one {$when}.',

  'x-order-direct':
    '🧾 Your order of {$amount} {$currency} on {$chain} is ready: {$id}. Its link is in our direct messages, and on your page of orders.',
  'x-order-page':
    '🧾 Your order of {$amount} {$currency} on {$chain} is ready: {$id}. Its link is on your page of orders; the address is in my profile.',
} as const;
