// The account sentences in Spanish; en/account.ts says what each is for.
import type { account as english } from '../en/account.ts';

export const account: Record<keyof typeof english, string> = {
  paused:
    '⏸ En pausa. Desde ahora no sale nada de tu billetera desde ningún chat. Las redes también lo saben, así que solo tu billetera puede reanudarlo.',

  'balance-title': '@{$handle}, tienes',
  'balance-line': '{$chain}: {$amount} {$asset}',
  'balance-line-wrapped': '{$chain}: {$amount} {$asset} como token (vale lo mismo; los pagos en {$asset} salen de ahí)',
  'balance-away': '{$chain}: no responde ahora, prueba otra vez en un minuto',

  'limits-paused': '⏸ Tus gastos están en pausa. Solo tu billetera puede reanudarlos.',
  'limits-commands': 'Comandos: quedan {$left} de {$all} en esta hora',
  'limits-caps': 'Topes: {$command} USD por comando, {$day} USD en 24 horas ({$spent} gastados)',
  'limits-line': '{$chain}: {$perTip} por pago, quedan {$left} de {$perDay} {$asset} en 24 horas, permiso {$allowance}',
  'limits-no-end': 'sin límite',
  'limits-chain-paused': '{$chain} (en pausa)',
  'limits-away': '{$chain}: no responde ahora',

  'history-none': 'Todavía no hay pagos. Empieza con «/tip @name 1».',
  'history-title': 'Tus últimos pagos',
  'history-sent': '→ {$amount} {$asset} a {$counterparty}',
  'history-received': '← {$amount} {$asset} de {$counterparty}',
  'history-status-pending': 'en camino',
  'history-status-paid': 'confirmando',
  'history-status-waiting': 'a la espera',
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
