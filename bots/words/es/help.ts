// The help sentences in Spanish; en/help.ts says what each is for.
import type { help as english } from '../en/help.ts';

export const help: Record<keyof typeof english, string> = {
  'help-telegram': `
    Envía dólares (USDC) a quien quieras, desde el chat.

    /tip @nombre 5 → recibe 5 USDC
    /tip 5 → en una respuesta, va a quien respondes
    /order 25 por café → un enlace que cualquiera puede pagar

    Pagas aparte una pequeña comisión: 0,05 $ por debajo de 5 $, 0,10 $ desde 5 $, o 0,30 $ y el coste del puente a otra red. La cantidad llega completa. Por encima de 50 $ pregunto antes.
  `,
  'help-discord': `
    Envía dólares (USDC) a quien quieras, desde el chat.

    /tip to:@nombre amount:5 → recibe 5 USDC
    @{$bot} tip 5 → en una respuesta, va a quien respondes
    /order amount:25 for:café → un enlace que cualquiera puede pagar

    Pagas aparte una pequeña comisión: 0,05 $ por debajo de 5 $, 0,10 $ desde 5 $, o 0,30 $ y el coste del puente a otra red. La cantidad llega completa. Por encima de 50 $ pregunto antes.
  `,

  'menu-tip': 'Dar a alguien: /tip @name 5',
  'menu-send': 'Enviar a una persona o dirección: /send @name 5',
  'menu-order': 'Pedir dinero con un enlace: /order 25 por café',
  'menu-me': 'El enlace de tu página (respuesta en privado)',
  'menu-balance': 'Tu saldo (respuesta en privado)',
  'menu-deposit': 'Añade dinero a tu billetera (respuesta en privado)',
  'menu-withdraw': 'Envía dinero desde tu billetera: /withdraw 5',
  'menu-history': 'Tus últimos pagos (respuesta en privado)',
  'menu-limits': 'Tus límites (respuesta en privado)',
  'menu-subscriptions': 'Tus suscripciones (respuesta en privado)',
  'menu-plan': 'Un formulario para un plan: /plan Amigos 5 monthly',
  'menu-leaderboard': 'Quién dio y recibió más aquí',
  'menu-react': 'Dar con una reacción: ajústalo en nuestro chat privado',
  'menu-pause': 'Poner en pausa todos los gastos al instante',
  'menu-connect': 'Conectar esta cuenta a tu nombre de Ampersat',
  'menu-disconnect': 'Desconectar esta cuenta al instante',
  'menu-help': 'Cómo funciona',
};
