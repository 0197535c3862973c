// The notices sentences in German; en/notices.ts says what each is for.
import type { notices as english } from '../en/notices.ts';

export const notices: Record<keyof typeof english, string> = {
  'notice-connected':
    'Das {$platform}-Konto {$account} ist jetzt mit {$handle}@ampersat verbunden. Es kann empfangen, pausieren und dein Guthaben, deinen Verlauf und deine Limits sehen. Ausgeben kann es nichts. Wenn du das nicht warst, trenn es in deinen Einstellungen und melde überall ab.',
  'notice-account-named': '@{$username} (ID {$id})',
  'notice-account-nameless': 'mit der ID {$id}',
  'notice-right-own':
    'Dieses Konto kann jetzt ausgeben: bis zu {$perCommand} pro Befehl und {$perDay} pro Tag, über alle deine Chats. Wenn du das nicht warst, schick /pause.',
  'notice-right-other':
    'Ein anderes Konto von dir kann jetzt ausgeben: bis zu {$perCommand} pro Befehl und {$perDay} pro Tag, über alle deine Chats. Wenn du das nicht warst, schick /pause.',
  'notice-wallet-pending': `
    ⚠️ Die Auszahlungs-Wallet von {$handle}@ampersat{$place} wird am {$date} zu {$wallet}. Deine alte Wallet hat das nicht unterschrieben.
    Wenn du das nicht warst, brich es jetzt in deinen Einstellungen ab und melde überall ab.
  `,
  'notice-wallet-changed':
    'Die Auszahlungs-Wallet von {$handle}@ampersat{$place} ist jetzt {$wallet}. Geld an dich geht dorthin. Um wieder zu senden, leg mit der neuen Wallet ein Limit fest.',
  'notice-wallet-changed-elsewhere':
    'Die Auszahlungs-Wallet von {$handle}@ampersat{$place} ist jetzt {$wallet}. Geld an diesen Namen geht dorthin. Dein Konto hier ist nicht damit verbunden.',
  'notice-wallet-stays':
    'Die Auszahlungs-Wallet von {$handle}@ampersat{$place} bleibt, wie sie ist. Der Wechsel zu {$wallet} wurde abgebrochen.',
  'notice-on-solana': 'auf Solana',
  'notice-wallet-adding': `
    ⚠️ {$wallet} wird am {$date} zur {$family}-Wallet von {$handle}@ampersat. Keine deiner Wallets hat das unterschrieben.
    Wenn du das nicht warst, brich es jetzt in deinen Einstellungen ab und melde überall ab.
  `,
  'notice-wallet-added':
    'Eine Wallet ist dazugekommen: {$wallet} ist jetzt die {$family}-Wallet von {$handle}@ampersat. Sie kann bezahlt werden und sich anmelden. Wenn du das nicht warst, wechsle sie in deinen Einstellungen und melde überall ab.',
  'notice-wallet-not-added':
    'Bei {$handle}@ampersat ist keine {$family}-Wallet dazugekommen. Die Anfrage für {$wallet} wurde abgebrochen.',
  'notice-endpoint-failing':
    '⚠️ Dein Webhook bei {$host} schlägt seit fünf Tagen fehl, deshalb schicke ich ihm keine Ereignisse mehr. Wenn er wieder geht, schalt ihn auf der Seite deiner Webhooks ein und lass Verpasstes noch einmal senden.',
  'notice-endpoint-gone':
    '⚠️ Dein Webhook bei {$host} meldet, dass es ihn nicht mehr gibt (410), deshalb schicke ich ihm keine Ereignisse mehr. Wenn das nicht stimmt, schalt ihn auf der Seite deiner Webhooks ein und lass Verpasstes noch einmal senden.',
  'notice-endpoint-test': 'Er gehört zum Testmodus. Deine echten Bestellungen betrifft das nicht.',
  'date-utc': '{$day}. {$month} {$year}, {$time} UTC',

  'open-chat': 'Ich kann dir noch nicht schreiben. Öffne unseren Chat und drück auf Start. Dort wartet deine Antwort.',
  'button-open-chat': 'Unseren Chat öffnen',
  'button-spending': 'Limit festlegen',
  'button-settings': 'Einstellungen',
  'button-webhooks': 'Deine Webhooks ansehen',
};
