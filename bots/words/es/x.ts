// The x sentences in Spanish; en/x.ts says what each is for.
import type { x as english } from '../en/x.ts';

export const x: Record<keyof typeof english, string> = {
  'x-ask-one': '¿Envío {$what}?',
  'x-leg': '{$amount} a {$recipient} (comisión {$fee}, en {$chain})',
  'x-leg-across': '{$amount} a {$recipient} en {$to} (comisión {$fee}, puente desde {$chain} {$bridge})',
  'x-leg-tab': '{$amount} para {$recipient}, en espera durante {$days} (sin comisión, en {$chain})',
  'x-how-to-answer': 'Responde yes o no en 10 minutos. No se puede deshacer. Ref {$reference}',
  'x-how-to-answer-tabs': 'Responde yes o no en 10 minutos. Puedes recuperarlo hasta que lo reclamen. Ref {$reference}',
  'x-asked-again': 'Pregunto otra vez, por si no lo viste.',
  'x-paid-tip': '✅ {$sender} le dio a {$who} {$amount} (comisión {$fee}).',
  'x-paid-send': '✅ {$sender} envió {$amount} a {$who} (comisión {$fee}).',
  'x-paid-split': '✅ {$sender} le dio a {$who} {$amount} (comisión {$fee}).',
  'x-paid-each': '✅ {$sender} le dio {$amount} a cada uno: {$who} (comisiones {$fee}).',
  'x-waits': '🎁 {$amount} para {$who}, de {$sender}.',
  'x-waits-each': '🎁 {$amount} para cada uno: {$who}, de {$sender}.',
  'x-how-to-claim': 'Reclámalo en {$days}: conecta X en la página de mi perfil.',
  'x-not-paid': '{$amount} para {$who} no se envió ni se te cobró.',
  'x-came-back': '↩️ {$amount} no llegó a {$who} a tiempo y está de vuelta en tu billetera. La comisión no se devuelve.',
  'x-lost': 'Corrección: {$amount} no llegó a {$who}. No se te ha cobrado.',
  'x-reference': 'Recibo {$code}',
  'x-ref': 'Ref {$code}',
  'x-declined': 'Cancelado.',
  'x-kept':
    'Guardado durante 24 horas. Conecta X en la página de mi perfil y confírmalo allí para enviarlo. No se te ha cobrado.',
  'x-in-private': 'No se pudo enviar y no se te ha cobrado. Te escribí el motivo.',
  'x-unknown': 'Aún no conozco a {$label}. En la página de mi perfil puedes guardarlo para ese nombre.',
  'x-more': 'y {$count} más',
  'x-unconnected':
    'Conecta primero tu billetera: responde «connect» o abre la página de mi perfil. Es cosa de un minuto.',
  'x-connect-sent': 'Te envié un enlace por mensaje directo. Es solo para ti.',
  'x-direct-closed': 'No puedo escribirte aquí. Abre la página de mi perfil y conecta X allí.',
  'x-help':
    'Responde a un post con mi nombre y «tip 5». En un post tuyo, pon su nombre tras «tip». «order 25 por café» pide dinero. Más en mi perfil.',
  'x-edited': 'Editaste el post antes de que lo leyera, así que no hice nada. Publícalo otra vez si aún lo quieres.',
  'x-answer-here': 'Responde aquí yes o no.',
};
