// The links sentences in German; en/links.ts says what each is for.
import type { links as english } from '../en/links.ts';

export const links: Record<keyof typeof english, string> = {
  'link-open': `
    Öffne das, um dein Konto hier mit deinem Ampersat-Namen zu verbinden. Du meldest dich mit deiner Wallet an; wenn du noch keinen Namen hast, wählst du dort einen.

    Es geht einmal, 15 Minuten lang. Es ist nur für dich, gib es also nicht weiter. Ich frage dich hier noch einmal, bevor etwas verbunden wird.
  `,
  'link-expired': 'Dieser Link gilt nicht mehr. Schick /connect für einen neuen.',
  'link-used': 'Dieser Link wurde benutzt.',
  'link-sent':
    'Ich habe dir in unserem privaten Chat einen Link geschickt. Er ist nur für dich, deshalb steht er nicht hier.',
  'link-ask': `
    {$account} hier mit dem Ampersat-Namen {$handle}@ampersat verbinden?

    Dein Link wurde in einem Browser geöffnet, der als {$handle}@ampersat angemeldet ist. Was man dir hier gibt, geht dann an die Wallet dieses Namens; drück also nur auf Verbinden, wenn er dir gehört.
  `,
  'link-account': 'Konto {$id}',
  'link-confirmed':
    '✅ Verbunden mit {$handle}@ampersat. Ab jetzt kann man dir hier etwas geben. Um selbst etwas zu geben, lass deine Wallet sagen, was ich ausgeben darf.',
  'link-declined':
    'Nicht verbunden. Es hat sich nichts geändert. Wenn du den Link nicht selbst geöffnet hast, hatte ihn jemand anders; er gilt jetzt nicht mehr.',
  'link-closed': 'Nicht verbunden: Die Frage ist geschlossen. Schick /connect für einen neuen Link.',
  'link-connected-already':
    'Dieses Konto ist mit {$handle}@ampersat verbunden. Um es mit einem anderen Namen zu verbinden, schick zuerst /disconnect: Das beendet sofort alle Zahlungen von hier.',
  disconnected:
    'Getrennt. Ab jetzt geht von diesem Konto nichts mehr raus, und was man dir hier sendet, wartet, bis du dich wieder verbindest. Schick /connect in unserem privaten Chat, um es wieder zu verbinden.',
  'disconnected-elsewhere': `
    Von {$handle}@ampersat getrennt, auf der Seite mit den Einstellungen. Ab jetzt geht von diesem Konto nichts mehr raus, und was man dir hier sendet, wartet, bis du dich wieder verbindest. Schick mir /connect, um es wieder zu verbinden.
    Wenn du das nicht warst, ist jemand anders angemeldet: Melde dich dort mit deiner Wallet an und melde überall ab.
  `,
  'button-connect': 'Verbinden',
  'button-no': 'Nein',
  'press-link_confirmed': 'Verbunden.',
  'press-link_declined': 'Nicht verbunden. Es hat sich nichts geändert.',
  'press-link_taken': 'Dieses Konto ist schon verbunden.',
};
