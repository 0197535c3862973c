// The payments sentences in Spanish; en/payments.ts says what each is for.
import type { payments as english } from '../en/payments.ts';

export const payments: Record<keyof typeof english, string> = {
  'pay-under-way': '⏳ {$sender}, va en camino…',
  'pay-waits-for-chain':
    '⏳ {$chain} no responde por ahora. {$sender}, tu pago queda guardado y saldrá solo; todavía no se ha cobrado nada.',
  'pay-waits':
    '⏳ La red no responde por ahora. {$sender}, tu pago queda guardado y saldrá solo; todavía no se ha cobrado nada.',
  'pay-declined': 'Cancelado por {$sender}. No se ha cobrado nada.',
  'pay-lapsed': '{$sender} no respondió a tiempo. No se ha cobrado nada; escríbelo otra vez para enviarlo.',
  'pay-not-sent': 'Eso no se envió. No se ha cobrado nada.',
  'pay-refused-in-private':
    '{$sender}, eso no se envió y no se ha cobrado nada. El motivo está en nuestro chat privado.',
  'pay-refused-beside': '{$sender}, eso no se envió y no se ha cobrado nada. El motivo solo lo ves tú.',

  'ask-send': '{$sender}, ¿envío esto?',
  'ask-leg': '{$amount} {$asset} a {$recipient} (comisión {$fee}, en {$chain})',
  'ask-final': 'No se puede deshacer. La pregunta se cierra en 10 minutos.',
  'ask-why-large_amount': 'Pregunto porque son más de 50 USD.',
  'ask-why-large_fee': 'Pregunto porque la comisión es más de una décima parte.',
  'ask-why-username_changed': 'Cuidado: este nombre de usuario fue de otra persona en los últimos 30 días.',
  'ask-why-username_stale': 'Cuidado: no veo este nombre de usuario desde hace más de un día.',
  'button-send': 'Enviar',
  'button-cancel': 'Cancelar',

  'leg-tip': '{$sender} dio {$amount} {$asset} a {$recipient} (comisión {$fee})',
  'leg-tip-on-chain': '{$sender} dio {$amount} {$asset} a {$recipient} (comisión {$fee}, en {$chain})',
  'leg-send': '{$sender} envió {$amount} {$asset} a {$recipient} (comisión {$fee})',
  'leg-send-on-chain': '{$sender} envió {$amount} {$asset} a {$recipient} (comisión {$fee}, en {$chain})',
  'leg-split': '{$sender} le dio a {$recipient} {$amount} {$asset} (comisión {$fee})',
  'leg-split-on-chain': '{$sender} le dio a {$recipient} {$amount} {$asset} (comisión {$fee}, en {$chain})',
  'leg-under-way': '⏳ {$what}: va en camino…',
  'leg-checked': '⏳ {$what}: se está comprobando…',
  'leg-confirming': '✅ {$what}. {$link} · confirmando en {$chain}…',
  'leg-done': '✅ {$what}. {$link}',
  'leg-failed': 'Los {$amount} {$asset} de {$sender} a {$recipient} no se enviaron; no se ha cobrado nada. {$hint}',
  'leg-link': 'Ver {$hash}',
  'hint-expired': 'No se pudo hacer en 15 minutos; escríbelo otra vez.',
  'hint-disconnected': 'La cuenta se desconectó antes de firmarlo.',
  'hint-paused': 'Los pagos están en pausa por el momento; inténtalo más tarde.',
  'hint-check': 'Mira /balance y /limits en nuestro chat privado y escríbelo otra vez.',

  'press-confirmed': 'Entendido, lo compruebo…',
  'press-declined': 'Cancelado. No se ha cobrado nada.',
  'press-not_yours': 'Solo puede responder quien lo escribió.',
  'press-too_late': 'Esta pregunta está cerrada.',
  'press-too_early': 'Un momento, y pulsa otra vez.',

  'pay-chain-slow': '⏳ {$chain} va lenta ahora mismo. {$sender}, tu pago está guardado y sale solo.',
};
