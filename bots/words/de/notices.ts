// The notices sentences in German; en/notices.ts says what each is for.
import type { notices as english } from '../en/notices.ts';

export const notices: Record<keyof typeof english, string> = {
  'notice-connected':
    'Das {$platform}-Konto {$account} ist jetzt mit {$handle}@ampersat verbunden. Es kann empfangen, dein Guthaben, deinen Verlauf und deine Grenzen sehen und alles anhalten; ausgeben kann es nichts. Wenn du das nicht warst, melde dich auf der Seite mit den Einstellungen an, trenn es dort und melde überall ab.',
  'notice-account-named': '@{$username} (Nummer {$id})',
  'notice-account-nameless': 'mit der Nummer {$id}',
  'notice-right-own':
    'Deine Wallet lässt jetzt dieses Konto ausgeben: höchstens {$command} USD pro Befehl und {$day} USD in 24 Stunden, über alle deine Chats. Wenn du das nicht warst, schick /pause.',
  'notice-right-other':
    'Deine Wallet lässt jetzt ein anderes deiner verbundenen Konten ausgeben: höchstens {$command} USD pro Befehl und {$day} USD in 24 Stunden, über alle deine Chats. Wenn du das nicht warst, schick /pause.',
  'notice-wallet-pending': `
    ⚠️ Die Wallet, an die {$handle}@ampersat bezahlt wird, soll ab {$date} {$wallet} sein. Die alte Wallet hat das nicht unterschrieben.
    Wenn du das nicht warst, melde dich jetzt auf der Seite mit den Einstellungen an, brich es dort ab und melde überall ab.
  `,
  'notice-wallet-changed':
    '{$handle}@ampersat wird jetzt an die Wallet {$wallet} bezahlt. Was man dir gibt, geht dorthin. Empfangen kannst du hier, und wieder ausgeben, sobald die neue Wallet gesagt hat, was ich ausgeben darf.',
  'notice-wallet-changed-elsewhere':
    '{$handle}@ampersat wird jetzt an die Wallet {$wallet} bezahlt. Was man diesem Namen gibt, geht dorthin. Dein Konto hier ist nicht damit verbunden.',
  'notice-wallet-stays':
    'Die Wallet, an die {$handle}@ampersat bezahlt wird, bleibt, wie sie ist: Der Wechsel zu {$wallet} wurde abgebrochen.',
  'notice-endpoint-failing':
    '⚠️ Ich schicke deinem Webhook bei {$host} keine Ereignisse mehr: Er hat fünf Tage lang keines angenommen. Wenn er wieder geht, schalt ihn auf der Seite mit deinen Webhooks ein und lass schicken, was er verpasst hat.',
  'notice-endpoint-gone':
    '⚠️ Ich schicke deinem Webhook bei {$host} keine Ereignisse mehr: Er hat geantwortet, dass es ihn nicht mehr gibt (410). Wenn das nicht stimmt, schalt ihn auf der Seite mit deinen Webhooks ein und lass schicken, was er verpasst hat.',
  'notice-endpoint-test': 'Er gehört zum Testmodus: Deine echten Bestellungen betrifft das nicht.',
  'date-utc': '{$day}. {$month} {$year}, {$time} UTC',

  'open-chat':
    'Ich darf dir noch nicht schreiben. Öffne unseren Chat und drück auf Start: Die Antwort wartet dort auf dich.',
  'button-open-chat': 'Unseren Chat öffnen',
  'button-spending': 'Wählen, was ich ausgeben darf',
  'button-settings': 'Einstellungen',
  'button-webhooks': 'Deine Webhooks ansehen',
};
