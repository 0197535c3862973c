// The beyond sentences in Spanish; en/beyond.ts says what each is for.
import type { beyond as english } from '../en/beyond.ts';

export const beyond: Record<keyof typeof english, string> = {
  'guest-asked': '{$sender}, antes una pregunta: te la hago en nuestro chat privado. Todavía no se ha cobrado nada.',
  'guest-private': 'Eso es solo para ti: la respuesta está en nuestro chat privado.',

  'react-on':
    'Cuando reacciones con {$emoji} a un mensaje en un grupo, daré {$amount} USDC a quien lo escribió, como si lo hubieras tecleado: una vez por mensaje, dentro de tus límites y de los cinco comandos por hora. Para parar: “/react off”.',
  'react-off':
    'Los pagos por reacción están desactivados. “/react 👍 1” los activa: una reacción con ese emoji da 1 USDC a quien escribió el mensaje.',
  'react-where':
    'Funciona en los grupos donde soy administrador, con mensajes desde que te vi allí por última vez, hasta siete días atrás.',
  'react-unclear':
    'No lo entendí, así que no cambia nada. Escribe un emoji y una cantidad, como “/react 👍 1”, o “/react off”.',
  'react-range':
    'Eso no cabe, así que no cambia nada: lo mínimo son 0.01 USDC, y con la comisión puede ser {$cap} USD como mucho.',
  'react-elsewhere': 'Eso se ajusta solo en nuestro chat privado, así que no cambia nada. Escríbelo aquí.',

  'leaderboard-received': '🏆 Quienes más recibieron aquí en 30 días',
  'leaderboard-gave': 'Quienes más dieron aquí en 30 días',
  'leaderboard-line': '{$person}: {$usd} USD',
  'leaderboard-nobody':
    'Todavía no hay nadie en la clasificación de aquí. “/leaderboard on” te incluye; solo se muestra a quien participa.',
  'leaderboard-nothing':
    'De quienes participan, nadie dio ni recibió nada aquí en los últimos 30 días. “/leaderboard on” te incluye.',
  'leaderboard-on':
    'Ya estás en la clasificación de aquí: con lo que diste y recibiste en este chat en los últimos 30 días. “/leaderboard off” te saca.',
  'leaderboard-off': 'Ya no estás en la clasificación de aquí. “/leaderboard on” te incluye otra vez.',
  'leaderboard-left_all': 'Ya no estás en la clasificación de ningún chat.',
  'leaderboard-unclear':
    'No lo entendí, así que no cambia nada. Escribe “/leaderboard”, “/leaderboard on” o “/leaderboard off”.',
  'leaderboard-elsewhere':
    'Cada grupo tiene su propia clasificación: pídela allí. “/leaderboard off” en nuestro chat privado te saca de todas.',

  'thread-total': '💚 {$sums} aquí hasta ahora, de {$people}.',
  'thread-more': `{$others ->
    [one] {$names} y una persona más
   *[other] {$names} y {$others} más
  }`,
  'thread-only': '{$others} personas',
};
