// The beyond sentences in German; en/beyond.ts says what each is for.
import type { beyond as english } from '../en/beyond.ts';

export const beyond: Record<keyof typeof english, string> = {
  'guest-asked':
    '{$sender}, vorher noch eine Frage: Ich stelle sie in unserem privaten Chat. Es wurde noch nichts abgebucht.',
  'guest-private': 'Das ist nur für dich: Die Antwort steht in unserem privaten Chat.',

  'react-on':
    'Wenn du in einer Gruppe mit {$emoji} auf eine Nachricht reagierst, gebe ich der Person, die sie geschrieben hat, {$amount} USDC, als hättest du es getippt: einmal pro Nachricht, innerhalb deiner Grenzen und der fünf Befehle pro Stunde. Zum Beenden: „/react off“.',
  'react-off':
    'Zahlungen per Reaktion sind aus. „/react 👍 1“ schaltet sie ein: Eine Reaktion mit diesem Emoji gibt der Person, die die Nachricht geschrieben hat, 1 USDC.',
  'react-where':
    'Das geht in Gruppen, in denen ich Administrator bin, für Nachrichten ab dem Zeitpunkt, zu dem ich dich dort zuletzt gesehen habe, höchstens sieben Tage zurück.',
  'react-unclear':
    'Das habe ich nicht verstanden, also bleibt alles, wie es ist. Schreib ein Emoji und einen Betrag, etwa „/react 👍 1“, oder „/react off“.',
  'react-range':
    'Das passt nicht, also bleibt alles, wie es ist: Es müssen mindestens 0.01 USDC sein und dürfen mit der Gebühr höchstens {$cap} USD sein.',
  'react-elsewhere': 'Das stellst du nur in unserem privaten Chat ein, also bleibt alles, wie es ist. Schreib es hier.',

  'leaderboard-received': '🏆 In 30 Tagen hier am meisten bekommen',
  'leaderboard-gave': 'In 30 Tagen hier am meisten gegeben',
  'leaderboard-line': '{$person}: {$usd} USD',
  'leaderboard-nobody':
    'In der Rangliste hier steht noch niemand. „/leaderboard on“ nimmt dich auf; gezeigt wird nur, wer mitmacht.',
  'leaderboard-nothing':
    'Von denen, die mitmachen, hat hier in den letzten 30 Tagen niemand etwas gegeben oder bekommen. „/leaderboard on“ nimmt dich auf.',
  'leaderboard-on':
    'Du stehst jetzt in der Rangliste hier: mit dem, was du in diesem Chat in den letzten 30 Tagen gegeben und bekommen hast. „/leaderboard off“ nimmt dich heraus.',
  'leaderboard-off': 'Du stehst nicht mehr in der Rangliste hier. „/leaderboard on“ nimmt dich wieder auf.',
  'leaderboard-left_all': 'Du stehst in keiner Rangliste mehr, in keinem Chat.',
  'leaderboard-unclear':
    'Das habe ich nicht verstanden, also bleibt alles, wie es ist. Schreib „/leaderboard“, „/leaderboard on“ oder „/leaderboard off“.',
  'leaderboard-elsewhere':
    'Jede Gruppe hat ihre eigene Rangliste: Frag dort nach ihr. „/leaderboard off“ in unserem privaten Chat nimmt dich aus allen heraus.',

  'thread-total': '💚 Bisher {$sums} hier, von {$people}.',
  'thread-more': `{$others ->
    [one] {$names} und noch jemand
   *[other] {$names} und {$others} weitere
  }`,
  'thread-only': '{$others} Leuten',
};
