// The tabs sentences in Spanish; en/tabs.ts says what each is for.
import type { tabs as english } from '../en/tabs.ts';

export const tabs: Record<keyof typeof english, string> = {
  'ask-tab': '{$amount} {$asset} para {$recipient}, en espera {$days} (sin comisión, en {$chain})',
  'ask-final-tabs':
    'Lo que queda en espera lo puedes recuperar hasta que lo reclamen. La pregunta se cierra en 10 minutos.',
  'ask-final-mixed':
    'Lo que va a una billetera no se puede recuperar; lo que queda en espera sí, hasta que lo reclamen. La pregunta se cierra en 10 minutos.',
  'tab-waits':
    '🎁 {$amount} {$asset} esperan a {$recipient} {$days}. {$recipient}: conéctate para reclamarlos. Hasta entonces {$sender} puede recuperarlos cuando quiera. {$link}',
  'tab-waits-short': '🎁 {$amount} {$asset} esperan a {$recipient}. {$link}',
  'tabs-how':
    'Esperan {$days}: conéctate para reclamar lo tuyo. Hasta entonces {$sender} puede recuperarlos cuando quiera.',
  'tab-confirming': '· confirmándose en {$chain}…',
  'tab-under-way': '⏳ {$amount} {$asset} de {$sender} para {$recipient}: en camino…',
  'tab-checked': '⏳ {$amount} {$asset} de {$sender} para {$recipient}: en revisión…',
  'tab-claimed': '✅ {$recipient} reclamó {$amount} {$asset} de {$sender}. {$link}',
  'tab-went-back': '↩️ {$amount} {$asset} volvieron a {$sender}; {$recipient} no los había reclamado. {$link}',

  'button-claim': 'Conectar y reclamar',
  'button-take-back': 'Recuperar',
  'button-your-tabs': 'Lo que enviaste',
  'button-see-tab': 'Ver',
  'button-waiting': 'Ver lo que te espera',
  'button-keep-for': 'Guardarlo para {$label}',

  'tab-told-claimed': '✅ {$recipient} reclamó los {$amount} {$asset} que le guardaste.',
  'tab-told-back': '↩️ {$amount} {$asset} están de nuevo en tu billetera; {$recipient} no los había reclamado.',
  'tab-reminds-recipient':
    '⏰ {$amount} {$asset} de {$sender} te esperan solo hasta el {$date}. Después pueden volver. Abre la página para reclamarlos.',
  'tab-reminds-sender':
    '⏰ {$recipient} aún no ha reclamado tus {$amount} {$asset}. El {$date} vuelven a ti por sí solos.',
  'tab-name-hold':
    'Alguien que ahora se llama {$recipient} quiere reclamar tus {$amount} {$asset}. Un nombre puede cambiar de dueño, así que espero hasta el {$date}. Si no es la persona que querías, recupéralos antes.',

  'pay-kept':
    '{$sender}, guardo esto durante 24 horas. Conéctate en nuestro chat privado y confírmalo en tu página; antes no se cobra nada.',
  'button-connect-first': 'Conectar',
  'waits-tabs': '🎁 Te espera: {$sums}. Reclámalo en tu página.',
  'waits-tips':
    'Escribiste un envío antes de estar conectado. Confírmalo en tu página y saldrá; aún no se ha cobrado nada.',
  'waits-nothing': 'Ya no te espera nada.',
  days: `{$days ->
    [one] durante un día
   *[other] durante {$days} días
  }`,
};
