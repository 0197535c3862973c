// What a question adds when the words of a command are in doubt, in German.

export const doubt = {
  'ask-note': 'Notiz: „{$note}“',
  'ask-left-out': '{$labels} kenne ich noch nicht und kann dort nichts hinschicken. Die anderen bekommen ihren Anteil.',
  'ask-why-note_unclear': 'Beträge sind in Dollar. Schreib „für“ vor eine Notiz, dann frage ich nicht nach.',
  'ask-why-conditional': 'Das klingt nach einer Bedingung oder einem Rückzieher. Wenn du sendest, geht es jetzt raus.',
  'ask-why-other_amount': 'Da steht noch ein anderer Betrag. Das hier geht raus.',
  'ask-why-other_recipient': 'Da steht noch jemand anderes. Nur die Person oben bekommt es.',
  'ask-why-sentence': 'So habe ich deinen Satz verstanden.',
  'ask-why-separator': 'Ich war nicht sicher, was das Zeichen darin bedeutet.',
  'ask-why-suggestion': 'Das konnte ich nicht ganz lesen. Meintest du das hier?',
  'ask-why-left_out': 'Trotzdem senden?',
  'error-reactions_limited': 'Das waren zwanzig Trinkgelder per Reaktion in dieser Stunde. Versuch es {$when} wieder.',
  'react-receive_only': 'Leg zuerst ein Ausgabenlimit fest, dann stell deine Reaktion noch einmal ein.',
  'x-ask-total': '{$total} an {$people} Leute senden (Gebühren {$fees})?',
} as const;
