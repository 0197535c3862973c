// The notices sentences in Spanish; en/notices.ts says what each is for.
import type { notices as english } from '../en/notices.ts';

export const notices: Record<keyof typeof english, string> = {
  'notice-connected':
    'La cuenta de {$platform} {$account} está conectada ahora a {$handle}@ampersat. Puede recibir, ver tu saldo, tu historial y tus límites, y pausar; no puede gastar. Si no fuiste tú, entra en la página de ajustes, desconéctala allí y cierra todas las sesiones.',
  'notice-account-named': '@{$username} (número {$id})',
  'notice-account-nameless': 'con el número {$id}',
  'notice-right-own':
    'Tu billetera deja gastar ahora a esta cuenta: como máximo {$command} USD por comando y {$day} USD en 24 horas, en todos tus chats. Si no fuiste tú, manda /pause.',
  'notice-right-other':
    'Tu billetera deja gastar ahora a otra de tus cuentas conectadas: como máximo {$command} USD por comando y {$day} USD en 24 horas, en todos tus chats. Si no fuiste tú, manda /pause.',
  'notice-wallet-pending': `
    ⚠️ La billetera donde cobra {$handle}@ampersat va a cambiar a {$wallet}, desde el {$date}. La billetera anterior no lo ha firmado.
    Si no fuiste tú, entra ahora en la página de ajustes, cancélalo allí y cierra todas las sesiones.
  `,
  'notice-wallet-changed':
    '{$handle}@ampersat cobra ahora en la billetera {$wallet}. Lo que te den va ahí. Aquí puedes recibir, y volver a gastar cuando la nueva billetera haya dicho cuánto puedo gastar.',
  'notice-wallet-changed-elsewhere':
    '{$handle}@ampersat cobra ahora en la billetera {$wallet}. Lo que den a ese nombre va ahí. Tu cuenta de aquí no está conectada a él.',
  'notice-wallet-stays': '{$handle}@ampersat sigue cobrando donde siempre: el cambio a {$wallet} se canceló.',
  'notice-endpoint-failing':
    '⚠️ Dejé de mandar eventos a tu webhook en {$host}: no aceptó ninguno en cinco días. Cuando vuelva a funcionar, actívalo en la página de tus webhooks y haz que se repita lo que se perdió.',
  'notice-endpoint-gone':
    '⚠️ Dejé de mandar eventos a tu webhook en {$host}: respondió que ya no existe (410). Si no es así, actívalo en la página de tus webhooks y haz que se repita lo que se perdió.',
  'notice-endpoint-test': 'Es del modo de prueba: tus pedidos de verdad no cambian.',
  'date-utc': '{$day} {$month} {$year}, {$time} UTC',

  'open-chat': 'Todavía no puedo escribirte. Abre nuestro chat y pulsa Start: la respuesta te espera allí.',
  'button-open-chat': 'Abrir nuestro chat',
  'button-spending': 'Elegir cuánto puedo gastar',
  'button-settings': 'Ajustes',
  'button-webhooks': 'Ver tus webhooks',
};
