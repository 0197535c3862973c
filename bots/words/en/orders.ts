// Orders that a seller asks for in a chat: the link, what becomes of it, and money that did not count. Never who paid.

export const orders = {
  'order-open': '🧾 {$handle}@ampersat requests {$amount} on {$chain}.',
  'order-what': 'For: {$what}',
  'order-pay': 'Anyone can pay it until {$date}: {$link}',
  'order-processing': '⏳ {$amount} for {$handle}@ampersat: a payment is on its way…',
  'order-completed': '✅ {$handle}@ampersat received {$amount}.',
  'order-cancelled': '{$handle}@ampersat cancelled this request for {$amount}. Please don’t pay it.',
  'order-expired': 'This request for {$amount} has expired. Ask {$handle}@ampersat for a new link.',

  'order-told-paid': '✅ Your order of {$amount} is paid.',
  'order-told-expired': '⌛ Your order of {$amount} expired before it was paid.',
  'order-told-expired-part':
    '⌛ Your order of {$amount} expired with only {$received} paid. You can send that back from the order’s page.',
  'order-told-part': '⚠️ {$received} of {$amount} received. {$due} still due by {$date}.',
  'order-told-stray':
    '⚠️ {$stray} came in for your order of {$amount} but doesn’t count toward it: too late, a different amount, or paid twice. You can send it back from the order’s page.',
  'order-told-other':
    '⚠️ Something other than {$currency} came in for your order of {$amount}. It doesn’t count toward it. See the order’s page.',
  'order-number': 'Order {$id}',

  'button-pay-order': 'Pay {$amount}',
  'button-cancel-order': 'Cancel order',
  'button-order-receipt': 'See the receipt',
  'button-your-order': 'See your order',
  'press-order_cancelled': 'Cancelled. It can’t be paid anymore.',

  'error-order_amount_missing': 'How much? Try {$order}.',
  'error-order_recipient': 'An order has no recipient: anyone with the link can pay it. Try {$order}.',
  'error-order_range': 'An order must be between $0.01 and $1,000,000.',
  'error-order_chain': 'I can’t create orders on that network. Leave the network out, or name another.',
  'error-order_asset': 'That isn’t available on that network. Leave the network out, or ask for USDC.',
  'error-order_no_wallet':
    'You don’t have a wallet for that network yet. Name another network, or add a wallet in your settings.',
  'error-order_price': 'I don’t have a fresh price for that right now. Ask for USDC, or try again in a few minutes.',
  'error-order_refused': 'I couldn’t create that order. Try it on your orders page, which shows what’s missing.',
  'error-order_note': 'I can’t show that note: it’s too long or has hidden characters. Type it by hand.',
  'error-orders_limited': 'That was your thirtieth order this hour. Try again {$when}.',

  'x-order-direct':
    '🧾 Your order of {$amount} on {$chain} is ready: {$id}. I’ve sent you its link in a direct message.',
  'x-order-page':
    '🧾 Your order of {$amount} on {$chain} is ready: {$id}. Its link is on your orders page; the address is in my profile.',
} as const;
