// The links sentences in Spanish; en/links.ts says what each is for.
import type { links as english } from '../en/links.ts';

export const links: Record<keyof typeof english, string> = {
  'link-open': `
    Abre este enlace para conectar esta cuenta a tu nombre de Ampersat. Entras con tu billetera; si todavía no tienes nombre, allí eliges uno.

    El enlace sirve una vez, durante 15 minutos. Es solo para ti, así que no lo compartas. Antes de conectar nada te pregunto aquí.
  `,
  'link-expired': 'Ese enlace ha caducado. Manda /connect para recibir otro.',
  'link-used': 'Ese enlace ya se usó.',
  'link-sent': 'Te envié un enlace en nuestro chat privado. Es solo para ti.',
  'link-ask': `
    ¿Conectar {$account} a {$handle}@ampersat?

    Tu enlace se abrió en un navegador donde ha entrado {$handle}@ampersat. El dinero que te envíen aquí irá a esa billetera, así que pulsa Conectar solo si es tuya.
  `,
  'link-account': 'la cuenta {$id}',
  'link-confirmed':
    '✅ Conectada a {$handle}@ampersat. Ya puedes recibir dinero aquí. Para enviar, pon un límite de gasto.',
  'link-declined': 'No se conectó. Si no abriste tú ese enlace, lo tenía otra persona. Ya no funciona.',
  'link-closed': 'No se conectó: la pregunta ha caducado. Manda /connect para recibir otro enlace.',
  'link-connected-already':
    'Esta cuenta está conectada a {$handle}@ampersat. Para conectarla a otro nombre, manda antes /disconnect. Eso detiene al instante todos los pagos desde aquí.',
  disconnected:
    'Desconectada. Esta cuenta ya no puede enviar, y el dinero que te envíen aquí espera hasta que te conectes otra vez: manda /connect en nuestro chat privado.',
  'disconnected-elsewhere': `
    Esta cuenta se desconectó de {$handle}@ampersat en los ajustes. Ya no puede enviar, y el dinero que te envíen aquí espera hasta que te conectes otra vez con /connect.
    Si no fuiste tú, entra allí con tu billetera y cierra todas las sesiones.
  `,
  'button-connect': 'Conectar',
  'button-no': 'No',
  'press-link_confirmed': 'Conectada.',
  'press-link_declined': 'No se conectó.',
  'press-link_taken': 'Esta cuenta ya está conectada.',
};
