// The notices sentences in Spanish; en/notices.ts says what each is for.
import type { notices as english } from '../en/notices.ts';

export const notices: Record<keyof typeof english, string> = {
  'notice-connected':
    'La cuenta de {$platform} {$account} está conectada ahora a {$handle}@ampersat. Puede recibir, pausar y ver tu saldo, tu historial y tus límites. No puede gastar. Si no fuiste tú, desconéctala en tus ajustes y cierra todas las sesiones.',
  'notice-account-named': '@{$username} (ID {$id})',
  'notice-account-nameless': 'con ID {$id}',
  'notice-right-own':
    'Esta cuenta ya puede gastar: hasta {$perCommand} por comando y {$perDay} por día, en todos tus chats. Si no fuiste tú, manda /pause.',
  'notice-right-other':
    'Otra de tus cuentas ya puede gastar: hasta {$perCommand} por comando y {$perDay} por día, en todos tus chats. Si no fuiste tú, manda /pause.',
  'notice-wallet-pending': `
    ⚠️ La billetera donde cobra {$handle}@ampersat{$place} cambia a {$wallet} el {$date}. Tu billetera anterior no lo ha firmado.
    Si no fuiste tú, cancélalo ahora en tus ajustes y cierra todas las sesiones.
  `,
  'notice-wallet-changed':
    'La billetera donde cobra {$handle}@ampersat{$place} es ahora {$wallet}. El dinero que te envíen va ahí. Para volver a enviar, pon un límite de gasto con la billetera nueva.',
  'notice-wallet-changed-elsewhere':
    'La billetera donde cobra {$handle}@ampersat{$place} es ahora {$wallet}. El dinero para ese nombre va ahí. Tu cuenta de aquí no está conectada a él.',
  'notice-wallet-stays':
    'La billetera donde cobra {$handle}@ampersat{$place} no cambia. El cambio a {$wallet} se canceló.',
  'notice-on-solana': 'en Solana',
  'notice-wallet-adding': `
    ⚠️ {$wallet} será la billetera {$family} de {$handle}@ampersat el {$date}. Ninguna de tus billeteras lo ha firmado.
    Si no fuiste tú, cancélalo ahora en tus ajustes y cierra todas las sesiones.
  `,
  'notice-wallet-added':
    'Se añadió una billetera: {$wallet} es ahora la billetera {$family} de {$handle}@ampersat. Puede cobrar e iniciar sesión. Si no fuiste tú, cámbiala en tus ajustes y cierra todas las sesiones.',
  'notice-wallet-not-added':
    'No se añadió ninguna billetera {$family} a {$handle}@ampersat. La solicitud para {$wallet} se canceló.',
  'notice-endpoint-failing':
    '⚠️ Tu webhook en {$host} lleva cinco días fallando, así que dejé de enviarle eventos. Cuando funcione, actívalo en la página de tus webhooks y reenvía lo que se perdió.',
  'notice-endpoint-gone':
    '⚠️ Tu webhook en {$host} dice que ya no existe (410), así que dejé de enviarle eventos. Si no es así, actívalo en la página de tus webhooks y reenvía lo que se perdió.',
  'notice-endpoint-test': 'Es del modo de prueba. Tus pedidos reales no cambian.',
  'date-utc': '{$day} {$month} {$year}, {$time} UTC',

  'open-chat': 'Todavía no puedo escribirte. Abre nuestro chat y pulsa Start. Tu respuesta te espera allí.',
  'button-open-chat': 'Abrir nuestro chat',
  'button-spending': 'Poner un límite de gasto',
  'button-settings': 'Ajustes',
  'button-webhooks': 'Ver tus webhooks',
};
