// The account sentences in Spanish; en/account.ts says what each is for.
import type { account as english } from '../en/account.ts';

export const account: Record<keyof typeof english, string> = {
  paused: '⏸ Todos los gastos están en pausa, en todos los chats. Para reactivarlos, entra con tu billetera.',

  'balance-title': 'Tu saldo, {$handle}@ampersat',
  'balance-total': 'En total: {$total}',
  'balance-total-test': 'Dinero de prueba: {$total}',
  'balance-without': 'Sin {$what}',
  'balance-line': '{$chain}: {$amount}',
  'balance-line-wrapped': '{$chain}: {$amount}, envuelto (vale lo mismo; lo que envío en {$asset} sale de aquí)',
  'balance-away': '{$chain}: no responde ahora mismo. Inténtalo en un minuto.',

  'deposit-page': 'La dirección de tu billetera, su código QR y las redes en las que recibe dinero están en tu página.',
  'withdraw-page':
    'El dinero está en tu propia billetera. Envíalo desde tu página a un handle o a una dirección; allí lo confirmas.',
  'button-deposit': 'Recibir dinero',
  'button-withdraw': 'Enviar dinero',

  'me-page': 'Tu página: {$url}\n    Allí cualquiera puede pagarte.',
  'me-off': 'Aún no tienes página. Actívala y cualquiera podrá pagar a @{$handle} con un enlace.',

  'limits-paused': '⏸ Tus gastos están en pausa. Solo tu billetera puede reactivarlos.',
  'limits-commands': 'Comandos: quedan {$open} de {$all} esta hora',
  'limits-caps': 'Límites: {$perCommand} por comando, {$perDay} por día ({$spent} usados)',
  'limits-line': '{$chain}: {$perTip} por pago, hoy quedan {$left} de {$perDay}, autorizado: {$allowance}',
  'limits-no-end': 'sin límite',
  'limits-chain-paused': '{$chain} (en pausa)',
  'limits-away': '{$chain}: no responde ahora mismo',

  'history-none': 'Todavía no hay pagos. Empieza con {$tip}.',
  'history-title': 'Tus últimos pagos',
  'history-sent': '→ {$amount} a {$counterparty}',
  'history-received': '← {$amount} de {$counterparty}',
  'history-status-pending': 'en camino',
  'history-status-paid': 'confirmando',
  'history-status-waiting': 'sin reclamar',
  'history-status-crossing': 'en camino a otra red',
  'history-status-returned': 'devuelto',
  'history-status-failed': 'no enviado',
  'ago-now': 'ahora mismo',
  'ago-minutes': 'hace {$minutes} min',
  'ago-hours': 'hace {$hours} h',
  'ago-days': `{$days ->
    [one] hace un día
   *[other] hace {$days} días
  }`,
};
