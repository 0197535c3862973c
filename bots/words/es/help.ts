// The help sentences in Spanish; en/help.ts says what each is for.
import type { help as english } from '../en/help.ts';

export const help: Record<keyof typeof english, string> = {
  help: `
    Paga aquí a cualquiera por su nombre, en dólares digitales (USDC).

    /tip @bob 5: cada persona nombrada recibe 5 USDC
    /tip 5: como respuesta, da a la persona a la que respondes
    /tip @bob @carol 5 for lunch: 5 a cada quien, con una nota
    /send @bob 20 on base: una persona, en la red que nombres
    /send 0x… 20: a una dirección
    /order 25 for coffee: pide 25 USDC, con un enlace que cualquiera puede pagar
    /balance, /history, /limits: la respuesta llega en privado
    /react 👍 1: tu reacción con ese emoji en un grupo da 1 USDC (desactivado hasta que lo ajustes)
    /leaderboard: quién dio y recibió más aquí, de quienes participan con /leaderboard on
    /pause: detiene todos tus gastos al instante
    /connect, /disconnect: si esta cuenta pertenece a tu nombre de Ampersat

    La comisión es de 0.05 USD por debajo de 5 USD y de 0.10 desde 5 USD, aparte: la otra persona recibe la cantidad completa.
    Por encima de 50 USD pregunto antes. Un nombre de Ampersat se escribe name@ampersat. Nuestro chat privado: @{$bot}.
  `,

  'menu-tip': 'Dar a alguien: /tip @name 5',
  'menu-send': 'Enviar a una persona o dirección: /send @name 5',
  'menu-order': 'Pedir dinero con un enlace: /order 25 for coffee',
  'menu-balance': 'Lo que tienes (respuesta en privado)',
  'menu-history': 'Tus últimos pagos (respuesta en privado)',
  'menu-limits': 'Lo que puedes gastar (respuesta en privado)',
  'menu-leaderboard': 'Quién dio y recibió más aquí',
  'menu-react': 'Dar con una reacción: ajústalo en nuestro chat privado',
  'menu-pause': 'Detener todos los gastos al instante',
  'menu-connect': 'Conectar esta cuenta a tu nombre de Ampersat',
  'menu-disconnect': 'Terminar esa conexión al instante',
  'menu-help': 'Cómo funciona',
};
