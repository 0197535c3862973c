// The beyond sentences in Spanish; en/beyond.ts says what each is for.
import type { beyond as english } from '../en/beyond.ts';

export const beyond: Record<keyof typeof english, string> = {
  'guest-asked': '{$sender}, antes una pregunta. Te la hice en nuestro chat privado.',
  'guest-private': 'Eso es solo para ti. Te respondí en nuestro chat privado.',

  'react-on':
    'Reacciona con {$emoji} a un mensaje en un grupo y le doy {$amount} a quien lo escribió: una vez por mensaje, dentro de tus límites. Para parar: {$off}',
  'react-off': 'Los pagos por reacción están desactivados. Para activarlos: {$on}',
  'react-where':
    'Funciona en los grupos donde soy administrador, con mensajes enviados después de tu último mensaje o reacción allí, hasta siete días atrás.',
  'react-unclear': 'Perdona, no lo entendí. Escribe un emoji y una cantidad: {$on}',
  'react-range': 'Los pagos por reacción pueden ir de 0,01 $ a {$cap}, con la comisión.',
  'react-elsewhere': 'Eso solo se ajusta en nuestro chat privado. Escríbelo aquí.',

  'leaderboard-received': '🏆 Quienes más recibieron aquí en 30 días',
  'leaderboard-gave': 'Quienes más dieron aquí en 30 días',
  'leaderboard-line': '{$person}: {$usd}',
  'leaderboard-nobody': 'La clasificación está vacía. Con /leaderboard on te sumas.',
  'leaderboard-nothing': 'Nadie de la clasificación dio ni recibió nada aquí en 30 días. Con /leaderboard on te sumas.',
  'leaderboard-on':
    'Ya estás en la clasificación, con lo que diste y recibiste aquí en 30 días. Con /leaderboard off sales.',
  'leaderboard-off': 'Ya no estás en la clasificación. Con /leaderboard on vuelves a entrar.',
  'leaderboard-left_all': 'Ya no estás en ninguna clasificación.',
  'leaderboard-unclear': 'Perdona, no lo entendí. Prueba con /leaderboard, /leaderboard on o /leaderboard off.',
  'leaderboard-elsewhere':
    'Cada grupo tiene su propia clasificación: pídela allí. Con /leaderboard off en nuestro chat privado sales de todas.',

  'thread-total': '💚 {$sums} aquí hasta ahora, de {$people}.',
  'thread-more': `{$others ->
    [one] {$names} y una persona más
   *[other] {$names} y {$others} más
  }`,
  'thread-only': '{$others} personas',
};
