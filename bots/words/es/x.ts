// The x sentences in Spanish; en/x.ts says what each is for.
import type { x as english } from '../en/x.ts';

export const x: Record<keyof typeof english, string> = {
  'x-ask-one': '¿Envío {$what}?',
  'x-ask-many': '¿Envío esto?',
  'x-leg': '{$amount} {$asset} a {$recipient} (comisión {$fee}, en {$chain})',
  'x-leg-tab': '{$amount} {$asset} para {$recipient}, en espera {$days} (sin comisión, en {$chain})',
  'x-how-to-answer': 'Responde yes o no en 10 minutos. No se puede recuperar. ({$reference})',
  'x-how-to-answer-tabs': 'Responde yes o no en 10 minutos. Puedes recuperarlo hasta que lo reclamen. ({$reference})',
  'x-asked-again': 'Pregunto otra vez, quizá la primera no llegó.',
  'x-paid-tip': '✅ {$sender} le dio a {$who} {$amount} (comisión {$fee}).',
  'x-paid-send': '✅ {$sender} envió {$amount} a {$who} (comisión {$fee}).',
  'x-paid-split': '✅ {$sender} le dio a {$who} {$amount} (comisión {$fee}).',
  'x-paid-each': '✅ {$sender} le dio {$amount} a cada uno: {$who} (comisiones {$fee}).',
  'x-waits': '🎁 {$amount} de {$sender} esperan a {$who}.',
  'x-waits-each': '🎁 {$amount} de {$sender} esperan a cada uno: {$who}.',
  'x-how-to-claim': 'Reclámalo, {$days}: conecta X en la página de mi perfil.',
  'x-not-paid': '{$amount} para {$who} no se envió; no se ha cobrado nada por ello.',
  'x-lost': 'Me equivoqué: {$amount} no llegó a {$who}, y no se ha cobrado nada.',
  'x-reference': 'Recibo {$code}',
  'x-declined': 'Cancelado. No se ha cobrado nada.',
  'x-kept':
    'Guardo esto durante 24 horas. Conecta X en la página de mi perfil y confírmalo allí; antes no se cobra nada.',
  'x-in-private': 'Eso no se envió y no se ha cobrado nada. El motivo está en nuestros mensajes directos.',
  'x-unknown': 'Aún no conozco a {$label}. En la página de mi perfil puedes guardarlo para ese nombre.',
  'x-more': 'y {$count} más',
  'x-unconnected':
    'Tu cuenta aquí aún no está conectada a Ampersat. Respóndeme «connect» o abre la página de mi perfil: basta con una billetera.',
  'x-connect-sent': 'Te envié un enlace por mensaje directo. Es solo para ti, por eso no lo muestro aquí.',
  'x-direct-closed': 'No puedo escribirte directamente. Abre la página de mi perfil y conecta X allí.',
  'x-help':
    'Mencióname con «tip @name 5», o responde a un post con «tip 5». «send 0x… 20 on base» paga a una dirección, «order 25 for coffee» pide dinero. Más en mi perfil.',
  'x-edited': 'El post cambió antes de que lo leyera, así que no hice nada. Publícalo otra vez si aún lo quieres.',
  'x-answer-here': 'Responde aquí yes o no.',
};
