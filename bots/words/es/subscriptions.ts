// The subscriptions sentences in Spanish; en/subscriptions.ts says what each is for.
import type { subscriptions as english } from '../en/subscriptions.ts';

export const subscriptions: Record<keyof typeof english, string> = {
  'sub-failing-balance':
    '⚠️ No pude cobrar {$amount} de {$plan} ({$creator}): tu wallet en {$chain} no tiene suficientes USDC. Lo intentaré de nuevo.',
  'sub-failing-allowance':
    '⚠️ No pude cobrar {$amount} de {$plan} ({$creator}): tu autorización en {$chain} se agotó. Renuévala y lo intentaré de nuevo.',
  'sub-failing-last': 'Último aviso: sin el cobro, la suscripción termina el {$date}.',
  'sub-failing-until': 'Si sigue fallando, la suscripción termina el {$date}.',
  'sub-halted': '⛔ Tu suscripción a {$plan} ({$creator}) terminó porque quedó sin pagar. No se cobra nada más.',
  'sub-cancelled': '{$creator} canceló tu suscripción a {$plan}. No se cobra nada más.',
  'sub-low':
    'ℹ️ Tu autorización para {$plan} ({$creator}) cubre menos de dos cobros más de {$amount}. Renuévala con una firma.',
  'sub-charged': '✅ Cobrado {$amount} por {$plan} ({$creator}) en {$chain}, cobro {$number}.',
  'sub-next': 'El próximo es el {$date}.',
  'sub-price':
    'ℹ️ {$creator} tiene un precio nuevo para {$plan}: {$price}. Sigues pagando {$amount} mientras no cambies; lo pagado sigue pagado.',
  'subs-title': 'Tus suscripciones:',
  'subs-line': '{$plan} ({$creator}) en {$chain}: {$amount}, el próximo cobro el {$date}',
  'subs-line-failing': '⚠️ {$plan} ({$creator}) en {$chain}: no pude cobrar {$amount}',
  'subs-more': '… y {$count} más en la página.',
  'subs-none': 'No tienes suscripciones.',
  'grant-waits':
    '🎁 {$sponsor} tiene {$amount} para ti ({$campaign}, en {$chain}). Conecta una cuenta antes del {$date} para recibirlo.',
  'grant-paid': '🎁 {$sponsor} te pagó {$amount} ({$campaign}, en {$chain}).',
  'grant-over': '{$amount} de {$sponsor} ({$campaign}) ya no se puede pagar.',
  'plan-form': 'Revisa los datos y crea el plan con tu wallet.',
  'button-plan': 'Abrir el formulario',
  'button-subscriptions': 'Tus suscripciones',
};
