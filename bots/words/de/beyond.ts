// The beyond sentences in German; en/beyond.ts says what each is for.
import type { beyond as english } from '../en/beyond.ts';

export const beyond: Record<keyof typeof english, string> = {
  'guest-asked': '{$sender}, vorher noch eine Frage. Ich habe sie dir in unserem privaten Chat gestellt.',
  'guest-private': 'Das ist nur für dich. Ich habe dir in unserem privaten Chat geantwortet.',

  'react-on':
    'Reagierst du in einer Gruppe mit {$emoji} auf eine Nachricht, gebe ich der Person dahinter {$amount}: einmal pro Nachricht, innerhalb deiner Limits. Ausschalten: {$off}',
  'react-off': 'Zahlungen per Reaktion sind aus. Einschalten: {$on}',
  'react-where':
    'Das geht in Gruppen, in denen ich Administrator bin, für Nachrichten nach deiner letzten Nachricht oder Reaktion dort, höchstens sieben Tage zurück.',
  'react-unclear': 'Das habe ich leider nicht verstanden. Schreib ein Emoji und einen Betrag: {$on}',
  'react-range': 'Zahlungen per Reaktion gehen von 0,01 $ bis {$cap}, mit Gebühr.',
  'react-elsewhere': 'Das geht nur in unserem privaten Chat. Schreib es hier.',

  'leaderboard-received': '🏆 In 30 Tagen hier am meisten bekommen',
  'leaderboard-gave': 'In 30 Tagen hier am meisten gegeben',
  'leaderboard-line': '{$person}: {$usd}',
  'leaderboard-nobody': 'Die Rangliste ist leer. Mit /leaderboard on bist du dabei.',
  'leaderboard-nothing':
    'Aus der Rangliste hat hier in 30 Tagen niemand etwas gegeben oder bekommen. Mit /leaderboard on bist du dabei.',
  'leaderboard-on':
    'Du bist in der Rangliste, mit dem, was du hier in 30 Tagen gegeben und bekommen hast. Mit /leaderboard off bist du draußen.',
  'leaderboard-off': 'Du bist nicht mehr in der Rangliste. Mit /leaderboard on bist du wieder dabei.',
  'leaderboard-left_all': 'Du bist in keiner Rangliste mehr.',
  'leaderboard-unclear':
    'Das habe ich leider nicht verstanden. Versuch /leaderboard, /leaderboard on oder /leaderboard off.',
  'leaderboard-elsewhere':
    'Jede Gruppe hat ihre eigene Rangliste, frag dort danach. Mit /leaderboard off in unserem privaten Chat bist du aus allen draußen.',

  'thread-total': '💚 Bisher {$sums} hier, von {$people}.',
  'thread-more': `{$others ->
    [one] {$names} und noch jemand
   *[other] {$names} und {$others} weitere
  }`,
  'thread-only': '{$others} Leuten',
};
