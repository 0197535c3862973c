// The payments sentences in Spanish; en/payments.ts says what each is for.
import type { payments as english } from '../en/payments.ts';

export const payments: Record<keyof typeof english, string> = {
  'pay-under-way': '⏳ {$sender}, va en camino…',
  'pay-waits-for-chain':
    '⏳ {$chain} va lenta ahora mismo. {$sender}, tu pago está guardado y sale solo. Todavía no se te ha cobrado.',
  'pay-waits':
    '⏳ La red va lenta ahora mismo. {$sender}, tu pago está guardado y sale solo. Todavía no se te ha cobrado.',
  'pay-declined': 'Cancelado por {$sender}.',
  'pay-lapsed': '{$sender} no respondió a tiempo, así que no se envió. Escríbelo otra vez para enviarlo.',
  'pay-not-sent': 'No se pudo enviar. No se te ha cobrado.',
  'pay-refused-in-private': '{$sender}, no se pudo enviar y no se te ha cobrado. Te escribí el motivo.',
  'pay-refused-beside': '{$sender}, no se pudo enviar y no se te ha cobrado. El motivo solo lo ves tú.',

  'ask-send': '{$sender}, ¿lo envío?',
  'ask-leg': '{$amount} a {$recipient} (comisión {$fee}, en {$chain})',
  'ask-leg-across': '{$amount} a {$recipient} en {$to} (comisión {$fee}, más {$bridge} del puente desde {$chain})',
  'ask-final': 'No se puede deshacer. La pregunta caduca en 10 minutos.',
  'ask-why-large_amount': 'Por encima de 50 $ siempre pregunto.',
  'ask-why-large_fee': 'La comisión es más de una décima parte del importe.',
  'ask-why-username_changed': 'Cuidado: este nombre de usuario fue de otra persona en los últimos 30 días.',
  'ask-why-username_stale': 'Cuidado: no veo este nombre de usuario desde hace más de un día.',
  'button-send': 'Enviar',
  'button-cancel': 'Cancelar',

  'leg-tip': '{$sender} le dio {$amount} a {$recipient} (comisión {$fee})',
  'leg-tip-on-chain': '{$sender} le dio {$amount} a {$recipient} (comisión {$fee}, en {$chain})',
  'leg-tip-across':
    '{$sender} le dio {$amount} a {$recipient} (comisión {$fee}, más {$bridge} del puente desde {$chain})',
  'leg-send': '{$sender} envió {$amount} a {$recipient} (comisión {$fee})',
  'leg-send-on-chain': '{$sender} envió {$amount} a {$recipient} (comisión {$fee}, en {$chain})',
  'leg-send-across':
    '{$sender} envió {$amount} a {$recipient} (comisión {$fee}, más {$bridge} del puente desde {$chain})',
  'leg-split': '{$sender} le dio {$amount} a {$recipient} (comisión {$fee})',
  'leg-split-on-chain': '{$sender} le dio {$amount} a {$recipient} (comisión {$fee}, en {$chain})',
  'leg-split-across':
    '{$sender} le dio {$amount} a {$recipient} (comisión {$fee}, más {$bridge} del puente desde {$chain})',
  'leg-under-way': '⏳ {$what}: va en camino…',
  'leg-checked': '⏳ {$what}: en revisión…',
  'leg-confirming': '✅ {$what}. {$link} · confirmando en {$chain}…',
  'leg-done': '✅ {$what}. {$link}',
  'leg-crossing': '⏳ {$what}: va en camino a {$to}. {$link}',
  'leg-arrived': '✅ {$what}: llegó a {$to}. {$link}',
  'plus-bridge': 'Más {$bridge} del puente.',
  'leg-came-back':
    '↩️ {$amount} para {$recipient} no llegó a {$to} a tiempo y está de vuelta en la billetera de {$sender}. La comisión no se devuelve. {$link}',
  'leg-failed': '{$amount} de {$sender} a {$recipient} no se pudo enviar. No se le cobró a {$sender}. {$hint}',
  'leg-link': 'Ver {$hash}',
  'hint-expired': 'Tardó más de 15 minutos. Escríbelo otra vez.',
  'hint-disconnected': 'La cuenta se desconectó antes.',
  'hint-paused': 'Los pagos están en pausa ahora mismo. Inténtalo más tarde.',
  'hint-check': 'Mira /balance y /limits en nuestro chat y escríbelo otra vez.',

  'press-confirmed': 'Entendido, lo compruebo…',
  'press-declined': 'Cancelado. No se te ha cobrado.',
  'press-not_yours': 'Solo puede responder quien lo escribió.',
  'press-too_late': 'Esta pregunta ha caducado.',
  'press-too_early': 'Un momento, y pulsa otra vez.',

  'pay-chain-slow': '⏳ {$chain} va lenta ahora mismo. {$sender}, tu pago está guardado y sale solo.',
};
