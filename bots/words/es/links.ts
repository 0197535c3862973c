// The links sentences in Spanish; en/links.ts says what each is for.
import type { links as english } from '../en/links.ts';

export const links: Record<keyof typeof english, string> = {
  'link-open': `
    Abre esto para conectar tu cuenta de aquí a tu nombre de Ampersat. Entras con tu billetera; si todavía no tienes nombre, allí eliges uno.

    Sirve una vez, durante 15 minutos. Es solo para ti, así que no lo compartas. Te pregunto aquí otra vez antes de conectar nada.
  `,
  'link-expired': 'Ese enlace ya no vale. Manda /connect para tener uno nuevo.',
  'link-used': 'Ese enlace ya se usó.',
  'link-sent': 'Te mandé un enlace en nuestro chat privado. Es solo para ti, por eso no se muestra aquí.',
  'link-ask': `
    ¿Conectar {$account} de aquí al nombre de Ampersat {$handle}@ampersat?

    Tu enlace se abrió en un navegador donde está {$handle}@ampersat. Lo que te den aquí irá a la billetera de ese nombre, así que pulsa Conectar solo si es tuyo.
  `,
  'link-account': 'la cuenta {$id}',
  'link-confirmed':
    '✅ Conectada a {$handle}@ampersat. Desde ahora puedes recibir aquí. Para dar a otros, deja que tu billetera diga cuánto puedo gastar.',
  'link-declined':
    'No se conectó. No ha cambiado nada. Si no abriste tú ese enlace, lo tenía otra persona; ahora ya no vale.',
  'link-closed': 'No se conectó: la pregunta está cerrada. Manda /connect para tener un enlace nuevo.',
  'link-connected-already':
    'Esta cuenta está conectada a {$handle}@ampersat. Para conectarla a otro nombre, manda antes /disconnect: eso detiene al instante todos los pagos desde aquí.',
  disconnected:
    'Desconectada. Desde ahora no sale ningún pago de esta cuenta, y lo que te envíen aquí espera hasta que te conectes otra vez. Manda /connect en nuestro chat privado para conectarla otra vez.',
  'disconnected-elsewhere': `
    Desconectada de {$handle}@ampersat, en la página de ajustes. Desde ahora no sale ningún pago de esta cuenta, y lo que te envíen aquí espera hasta que te conectes otra vez. Mándame /connect para conectarla otra vez.
    Si no fuiste tú, hay otra persona dentro: entra allí con tu billetera y cierra todas las sesiones.
  `,
  'button-connect': 'Conectar',
  'button-no': 'No',
  'press-link_confirmed': 'Conectada.',
  'press-link_declined': 'No se conectó. No ha cambiado nada.',
  'press-link_taken': 'Esta cuenta ya está conectada.',
};
