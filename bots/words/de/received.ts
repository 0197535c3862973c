// Die Nachricht über erhaltenes Geld, ihr Schalter, und die Quittung vieler Empfänger.

export const received = {
  'received-paid': 'Du hast {$sums} von {$from} bekommen.',
  'received-waiting': '🎁 {$sums} von {$from} für dich. Hol es dir bis {$date}.',
  'received-daily': `🎁 {$count ->
    [one] Heute ein kleines Geschenk: {$sums}. Hol es dir bis {$date}.
   *[other] Heute {$count} kleine Geschenke: {$sums}. Hol sie dir bis {$date}.
  }`,
  'received-people': `{$people ->
    [one] einer Person
   *[other] {$people} Leuten
  }`,
  'received-times': `{$count ->
    [one] {$name}
   *[other] {$name} ({$count} Zahlungen)
  }`,
  'received-elsewhere': '{$name} auf {$platform}',
  'received-note': '„{$note}“',
  'received-confirming': '· wird auf {$chain} bestätigt…',
  'received-undone': '⏳ {$sums} von {$from}: Das Netzwerk hat es zurückgenommen. Es ist wieder unterwegs.',
  'received-returned': '↩️ {$sums} von {$from} kamen nicht an oder gingen zurück.',
  'received-is-off': 'Solche Nachrichten sind ausgeschaltet.',
  'received-see': 'Ansehen',
  'received-turn-off': 'Ausschalten',
  'received-turn-on': 'Einschalten',
  'press-notices_off': 'Aus. Dein Geld kommt weiterhin an.',
  'press-notices_on': 'Wieder an.',

  'fold-paid': '✅ {$sender} hat {$people} Leuten zusammen {$sums} gegeben (Gebühren {$fees}).',
  'fold-x-paid': '✅ {$sender} hat gegeben: {$who} (Gebühren {$fees}).',
  'fold-under-way': '⏳ {$sender} gibt {$people} Leuten zusammen {$sums}: unterwegs…',
  'fold-confirming': '· wird auf {$chain} bestätigt…',
  'fold-leg': 'An {$recipient} {$amount} · {$link}',
  'fold-leg-waits': '🎁 An {$recipient} {$amount}, wartet · {$link}',
  'fold-leg-back': '↩️ An {$recipient} {$amount}, ging zurück · {$link}',
  'fold-leg-under-way': '⏳ An {$recipient} {$amount}',
};
