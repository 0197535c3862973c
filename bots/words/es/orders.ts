// The orders sentences in Spanish; en/orders.ts says what each is for.
import type { orders as english } from '../en/orders.ts';

export const orders: Record<keyof typeof english, string> = {
  'order-open': '🧾 {$handle}@ampersat pide {$amount} en {$chain}.',
  'order-what': 'Por: {$what}',
  'order-pay': 'Cualquiera puede pagarlo hasta el {$date}: {$link}',
  'order-processing': '⏳ {$amount} para {$handle}@ampersat: hay un pago en camino…',
  'order-completed': '✅ {$handle}@ampersat recibió {$amount}.',
  'order-cancelled': '{$handle}@ampersat canceló esta petición de {$amount}. Por favor, no la pagues.',
  'order-expired': 'Esta petición de {$amount} ha caducado. Pide un enlace nuevo a {$handle}@ampersat.',

  'order-told-paid': '✅ Tu pedido de {$amount} está pagado.',
  'order-told-expired': '⌛ Tu pedido de {$amount} caducó sin pagarse.',
  'order-told-expired-part':
    '⌛ Tu pedido de {$amount} caducó con solo {$received} pagados. Puedes devolverlo desde la página del pedido.',
  'order-told-part': '⚠️ Recibido: {$received} de {$amount}. Faltan {$due} hasta el {$date}.',
  'order-told-stray':
    '⚠️ Llegaron {$stray} para tu pedido de {$amount}, pero no cuentan: fuera de plazo, otro importe o pagados dos veces. Puedes devolverlos desde la página del pedido.',
  'order-told-other':
    '⚠️ Para tu pedido de {$amount} llegó algo que no es {$currency}. No cuenta. Míralo en la página del pedido.',
  'order-number': 'Pedido {$id}',

  'button-pay-order': 'Pagar {$amount}',
  'button-cancel-order': 'Cancelar el pedido',
  'button-order-receipt': 'Ver el recibo',
  'button-your-order': 'Ver tu pedido',
  'press-order_cancelled': 'Cancelado. Ya no se puede pagar.',

  'error-order_amount_missing': '¿Cuánto? Prueba con {$order}.',
  'error-order_recipient': 'Un pedido no tiene destinatario: lo paga quien tenga el enlace. Prueba con {$order}.',
  'error-order_range': 'Un pedido debe estar entre 0,01 $ y 1.000.000 $.',
  'error-order_chain': 'En esa red no acepto pedidos. No pongas la red o elige otra.',
  'error-order_asset': 'Eso no está disponible en esa red. No pongas la red o pide USDC.',
  'error-order_no_wallet':
    'Todavía no tienes billetera para esa red. Elige otra red o añade una billetera en tus ajustes.',
  'error-order_price': 'Ahora mismo no tengo un precio reciente para eso. Pide USDC o inténtalo en unos minutos.',
  'error-order_refused': 'No pude crear ese pedido. Inténtalo en la página de tus pedidos, que muestra qué falta.',
  'error-order_note': 'No puedo mostrar esa nota: es demasiado larga o tiene caracteres ocultos. Escríbela a mano.',
  'error-orders_limited': 'Fue tu pedido número treinta de esta hora. Podrás hacer otro {$when}.',

  'x-order-direct': '🧾 Tu pedido de {$amount} en {$chain} está listo: {$id}. Te envié el enlace por mensaje directo.',
  'x-order-page':
    '🧾 Tu pedido de {$amount} en {$chain} está listo: {$id}. El enlace está en la página de tus pedidos; la dirección, en mi perfil.',
};
