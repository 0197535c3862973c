// The links sentences in German; en/links.ts says what each is for.
import type { links as english } from '../en/links.ts';

export const links: Record<keyof typeof english, string> = {
  'link-open': `
    Öffne diesen Link, um dieses Konto mit deinem Ampersat-Namen zu verbinden. Du meldest dich mit deiner Wallet an; wenn du noch keinen Namen hast, wählst du dort einen.

    Der Link geht einmal, 15 Minuten lang. Er ist nur für dich, gib ihn nicht weiter. Bevor etwas verbunden wird, frage ich dich hier.
  `,
  'link-expired': 'Dieser Link ist abgelaufen. Schick /connect für einen neuen.',
  'link-used': 'Dieser Link wurde schon benutzt.',
  'link-sent': 'Ich habe dir in unserem privaten Chat einen Link geschickt. Er ist nur für dich.',
  'link-ask': `
    {$account} mit {$handle}@ampersat verbinden?

    Dein Link wurde in einem Browser geöffnet, in dem {$handle}@ampersat angemeldet ist. Geld, das man dir hier schickt, geht dann an diese Wallet. Drück nur auf Verbinden, wenn sie dir gehört.
  `,
  'link-account': 'Konto {$id}',
  'link-confirmed':
    '✅ Verbunden mit {$handle}@ampersat. Du kannst hier jetzt Geld empfangen. Zum Senden leg ein Limit fest.',
  'link-declined':
    'Nicht verbunden. Wenn du den Link nicht geöffnet hast, hatte ihn jemand anders. Er funktioniert nicht mehr.',
  'link-closed': 'Nicht verbunden: Die Frage ist abgelaufen. Schick /connect für einen neuen Link.',
  'link-connected-already':
    'Dieses Konto ist mit {$handle}@ampersat verbunden. Um es mit einem anderen Namen zu verbinden, schick zuerst /disconnect. Das stoppt sofort alle Zahlungen von hier.',
  disconnected:
    'Getrennt. Dieses Konto kann nichts mehr senden, und Geld, das man dir hier schickt, wartet, bis du dich wieder verbindest: Schick /connect in unserem privaten Chat.',
  'disconnected-elsewhere': `
    Dieses Konto wurde in den Einstellungen von {$handle}@ampersat getrennt. Es kann nichts mehr senden, und Geld, das man dir hier schickt, wartet, bis du dich mit /connect wieder verbindest.
    Wenn du das nicht warst, melde dich dort mit deiner Wallet an und melde überall ab.
  `,
  'button-connect': 'Verbinden',
  'button-no': 'Nein',
  'press-link_confirmed': 'Verbunden.',
  'press-link_declined': 'Nicht verbunden.',
  'press-link_taken': 'Dieses Konto ist schon verbunden.',
};
