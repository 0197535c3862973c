// The tabs sentences in Spanish; en/escrow.ts says what each is for.
import type { escrow as english } from '../en/escrow.ts';

export const escrow: Record<keyof typeof english, string> = {
  'ask-tab': '{$amount} para {$recipient}, en espera durante {$days} (sin comisión, en {$chain})',
  'ask-final-tabs': 'Puedes recuperarlo hasta que lo reclamen. La pregunta caduca en 10 minutos.',
  'ask-final-mixed':
    'Los pagos a una billetera no se pueden deshacer. Lo que queda en espera lo puedes recuperar hasta que lo reclamen. La pregunta caduca en 10 minutos.',
  'tab-waits': '🎁 {$amount} para {$recipient}, de {$sender}. Tienes {$days} para reclamarlo. {$link}',
  'tab-waits-short': '🎁 {$amount} para {$recipient}. {$link}',
  'tabs-how': 'Tienes {$days} para reclamarlo. Hasta entonces, {$sender} puede recuperarlo.',
  'tab-confirming': '· confirmando en {$chain}…',
  'tab-under-way': '⏳ {$amount} de {$sender} para {$recipient}: en camino…',
  'tab-checked': '⏳ {$amount} de {$sender} para {$recipient}: en revisión…',
  'tab-claimed': '✅ {$recipient} reclamó {$amount} de {$sender}. {$link}',
  'tab-went-back': '↩️ {$amount} volvió a {$sender}. {$recipient} no lo había reclamado. {$link}',

  'button-claim': 'Conectar y reclamar',
  'button-take-back': 'Recuperar',
  'button-your-tabs': 'Lo que enviaste',
  'button-see-tab': 'Ver',
  'button-waiting': 'Ver lo que te espera',
  'button-keep-for': 'Guardarlo para {$label}',

  'tab-told-claimed': '✅ {$recipient} reclamó los {$amount} que le enviaste.',
  'tab-told-back': '↩️ {$amount} está otra vez en tu billetera. {$recipient} no lo había reclamado.',
  'tab-reminds-recipient':
    '⏰ {$sender} te envió {$amount}. Reclámalo antes del {$date} o puede volver a quien lo envió.',
  'tab-reminds-sender': '⏰ {$recipient} aún no ha reclamado tus {$amount}. El {$date} vuelve a ti.',
  'tab-name-hold':
    'Alguien que ahora se llama {$recipient} quiere reclamar tus {$amount}. Un nombre de usuario puede cambiar de dueño, así que lo retengo hasta el {$date}. Si no es la persona que querías, recupéralo antes.',

  'pay-kept': '{$sender}, guardado durante 24 horas. Conéctate y confírmalo para enviarlo. No se te ha cobrado.',
  'button-connect-first': 'Conectar',
  'waits-tabs': '🎁 Te espera: {$list}. Reclámalo en tu página.',
  'waits-tips': 'Escribiste un pago antes de conectarte. Confírmalo en tu página para enviarlo. No se te ha cobrado.',
  'waits-nothing': 'No te espera nada.',
  days: `{$days ->
    [one] un día
   *[other] {$days} días
  }`,
};
