// The sentences for groups in Spanish; en/groups.ts says what each is for.
import type { groups as english } from '../en/groups.ts';

export const groups: Record<keyof typeof english, string> = {
  'help-group': `
    Envía dólares (USDC) a quien quieras aquí: {$tip}
    Todo lo demás está en nuestro chat.
  `,

  'error-flooded': 'Son muchos mensajes a la vez. Espera un minuto y vuelve a intentarlo.',
  'discord-unshown': 'No puedo mostrar la respuesta aquí. En /history está lo que pasó.',
};
