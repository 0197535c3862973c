// El aviso de dinero recibido, cómo apagarlo, y el recibo de muchos destinatarios.

export const received = {
  'received-paid': 'Recibiste {$sums} de {$from}.',
  'received-waiting': '🎁 {$sums} de {$from} para ti. Reclámalo antes del {$date}.',
  'received-daily': `🎁 {$count ->
    [one] Hoy, un pequeño regalo: {$sums}. Reclámalo antes del {$date}.
   *[other] Hoy, {$count} pequeños regalos: {$sums}. Reclámalos antes del {$date}.
  }`,
  'received-people': `{$people ->
    [one] una persona
   *[other] {$people} personas
  }`,
  'received-times': `{$count ->
    [one] {$name}
   *[other] {$name} ({$count} pagos)
  }`,
  'received-elsewhere': '{$name} en {$platform}',
  'received-note': '«{$note}»',
  'received-confirming': '· confirmándose en {$chain}…',
  'received-undone': '⏳ {$sums} de {$from}: la red lo revirtió. Ya va en camino otra vez.',
  'received-returned': '↩️ {$sums} de {$from} no llegó o volvió a quien lo envió.',
  'received-is-off': 'Estos avisos están apagados.',
  'received-see': 'Ver',
  'received-turn-off': 'Apagar avisos',
  'received-turn-on': 'Encender avisos',
  'press-notices_off': 'Apagados. Tu dinero sigue llegando.',
  'press-notices_on': 'Encendidos otra vez.',

  'fold-paid': '✅ {$sender} dio {$sums} en total a {$people} personas (comisiones {$fees}).',
  'fold-x-paid': '✅ {$sender} dio: {$who} (comisiones {$fees}).',
  'fold-under-way': '⏳ {$sender} da {$sums} en total a {$people} personas: en camino…',
  'fold-confirming': '· confirmándose en {$chain}…',
  'fold-leg': 'A {$recipient} {$amount} · {$link}',
  'fold-leg-waits': '🎁 A {$recipient} {$amount}, en espera · {$link}',
  'fold-leg-back': '↩️ A {$recipient} {$amount}, devuelto · {$link}',
  'fold-leg-under-way': '⏳ A {$recipient} {$amount}',
};
