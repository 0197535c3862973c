// The orders sentences in Spanish; en/orders.ts says what each is for.
import type { orders as english } from '../en/orders.ts';

export const orders: Record<keyof typeof english, string> = {
  'order-open': '🧾 {$handle}@ampersat pide {$amount} {$currency} en {$chain}.',
  'order-what': 'Por: {$what}',
  'order-pay': 'Quien abra este enlace puede pagarlo hasta el {$date}: {$link}',
  'order-processing': '⏳ {$amount} {$currency} para {$handle}@ampersat: hay un pago en camino.',
  'order-completed': '✅ {$handle}@ampersat recibió los {$amount} {$currency}.',
  'order-cancelled': '{$handle}@ampersat retiró este pedido de {$amount} {$currency}. Por favor, ya no lo pagues.',
  'order-expired': 'Este pedido de {$amount} {$currency} terminó. Por favor, ya no lo pagues.',

  'order-told-paid': '✅ Tu pedido de {$amount} {$currency} está pagado.',
  'order-told-expired': '⌛ Tu pedido de {$amount} {$currency} terminó: nadie lo pagó a tiempo.',
  'order-told-expired-part':
    '⌛ Tu pedido de {$amount} {$currency} terminó. Llegaron {$received} {$currency}, que no lo completan; en la página del pedido ves cómo devolverlos.',
  'order-told-part':
    '⚠️ Por ahora llegaron {$received} de {$amount} {$currency} para tu pedido; faltan {$due} {$currency}, hasta el {$date}.',
  'order-told-stray':
    '⚠️ Llegaron {$stray} {$currency} para tu pedido de {$amount} {$currency} y no se pudieron contar: tarde, con otra cantidad o una vez de más. En la página del pedido los ves, y cómo devolverlos.',
  'order-told-other':
    '⚠️ Llegó algo que no es {$currency} para tu pedido de {$amount} {$currency} y no se pudo contar. En la página del pedido lo ves.',
  'order-number': 'Pedido {$id}',

  'button-pay-order': 'Pagar {$amount} {$currency}',
  'button-cancel-order': 'Retirar el pedido',
  'button-order-receipt': 'Ver el recibo',
  'button-your-order': 'Ver tu pedido',
  'press-order_cancelled': 'Retirado. Ya nadie puede pagarlo.',

  'error-order_amount_missing': '¿Cuánto? Prueba «/order 25 for coffee».',
  'error-order_recipient':
    'Un pedido no nombra a nadie: puede pagarlo quien abra su enlace. Quita el nombre o la dirección, por ejemplo «/order 25 for coffee».',
  'error-order_range': 'Un pedido debe valer entre 0.01 y 1,000,000 USD.',
  'error-order_chain': 'En esa red no tomo pedidos. Quita la red, o nombra otra.',
  'error-order_asset': 'Esa moneda no existe en esa red. Quita la red, o nombra otra.',
  'error-order_no_wallet':
    'En esa red no puedes cobrar: tu cuenta no tiene allí una billetera que yo sepa que funciona. Nombra otra red, o añade una en la página de ajustes.',
  'error-order_price': 'Ahora no tengo un precio fresco de esa moneda. Pide USDC, o inténtalo en unos minutos.',
  'error-order_refused': 'No pude hacer ese pedido. Inténtalo en la página de tus pedidos; allí dice qué falta.',
  'error-order_note': 'No puedo mostrar esa nota: es demasiado larga o tiene caracteres ocultos. Escríbela a mano.',
  'error-orders_limited': 'Has pedido 30 veces en una hora. La próxima puedes pedirla {$when}.',

  'x-order-direct':
    '🧾 Tu pedido de {$amount} {$currency} en {$chain} está listo: {$id}. Su enlace está en nuestros mensajes directos y en la página de tus pedidos.',
  'x-order-page':
    '🧾 Tu pedido de {$amount} {$currency} en {$chain} está listo: {$id}. Su enlace está en la página de tus pedidos; la dirección está en mi perfil.',
};
