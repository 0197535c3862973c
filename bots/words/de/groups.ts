// The sentences for groups in German; en/groups.ts says what each is for.
import type { groups as english } from '../en/groups.ts';

export const groups: Record<keyof typeof english, string> = {
  'help-group': `
    Schick hier allen Dollar (USDC): {$tip}
    Alles andere steht in unserem Chat.
  `,

  'error-flooded': 'Das ist viel auf einmal. Gib mir eine Minute, dann versuch es noch einmal.',
  'discord-unshown': 'Ich kann die Antwort hier nicht zeigen. In /history steht, was passiert ist.',
};
