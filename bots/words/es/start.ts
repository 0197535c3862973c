// The first message of the direct chat, in Spanish, and its buttons.

export const start = {
  start: `
    ¡Hola! Envío dólares (USDC) a quien quieras en tus chats.
    Conecta tu cuenta una vez y escribe {$tip} en un chat en el que estemos los dos.
    Pagas aparte una pequeña comisión, casi siempre 0,05 $ o 0,10 $; la otra persona recibe el importe completo.
  `,
  'button-try': 'Pruébalo',
  'button-fees': 'Las comisiones',
  'menu-split': 'Reparte un importe: /split 9 @name @name',
} as const;
