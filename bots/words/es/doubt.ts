// What a question adds when the words of a command are in doubt, in Spanish.

export const doubt = {
  'ask-note': 'Nota: «{$note}»',
  'ask-left-out': 'Todavía no conozco a {$labels}, así que no recibe nada. Los demás reciben su parte.',
  'ask-why-note_unclear': 'Los importes son en dólares. Pon «por» antes de una nota y no pregunto.',
  'ask-why-conditional': 'Suena a condición o a cambio de idea. Si lo envías, sale ahora.',
  'ask-why-other_amount': 'He visto otro importe. Esto es lo que sale.',
  'ask-why-other_recipient': 'He visto a otra persona. Solo lo recibe la de arriba.',
  'ask-why-sentence': 'Esto es lo que entendí de tu frase.',
  'ask-why-separator': 'No estaba seguro de qué significa el signo.',
  'ask-why-suggestion': 'No pude leerlo todo. ¿Querías decir esto?',
  'ask-why-left_out': '¿Lo envío sin ellos?',
  'error-reactions_limited': 'Ya enviaste veinte propinas por reacción esta hora. Inténtalo de nuevo {$when}.',
  'react-receive_only': 'Primero fija un límite de gasto y luego vuelve a configurar tu reacción.',
  'x-ask-total': '¿Envío {$total} a {$people} personas (comisiones {$fees})?',
} as const;
