// The help sentences in German; en/help.ts says what each is for.
import type { help as english } from '../en/help.ts';

export const help: Record<keyof typeof english, string> = {
  'help-telegram': `
    Sende Dollar (USDC) an alle, direkt im Chat.

    /tip @name 5 → die Person bekommt 5 USDC
    /tip 5 → als Antwort geht es an die Person, der du antwortest
    /order 25 für Kaffee → ein Link, den alle bezahlen können

    Du zahlst eine kleine Gebühr obendrauf: 0,05 $ unter 5 $, 0,10 $ ab 5 $, oder 0,30 $ und die Kosten der Brücke in ein anderes Netzwerk. Der volle Betrag kommt an. Über 50 $ frage ich vorher.
  `,
  'help-discord': `
    Sende Dollar (USDC) an alle, direkt im Chat.

    /tip to:@name amount:5 → die Person bekommt 5 USDC
    @{$bot} tip 5 → als Antwort geht es an die Person, der du antwortest
    /order amount:25 for:Kaffee → ein Link, den alle bezahlen können

    Du zahlst eine kleine Gebühr obendrauf: 0,05 $ unter 5 $, 0,10 $ ab 5 $, oder 0,30 $ und die Kosten der Brücke in ein anderes Netzwerk. Der volle Betrag kommt an. Über 50 $ frage ich vorher.
  `,

  'menu-tip': 'Jemandem etwas geben: /tip @name 5',
  'menu-send': 'An eine Person oder Adresse senden: /send @name 5',
  'menu-order': 'Mit einem Link um Geld bitten: /order 25 für Kaffee',
  'menu-me': 'Der Link deiner Seite (Antwort kommt privat)',
  'menu-balance': 'Dein Guthaben (Antwort kommt privat)',
  'menu-deposit': 'Geld auf deine Wallet laden (Antwort kommt privat)',
  'menu-withdraw': 'Geld aus deiner Wallet senden: /withdraw 5',
  'menu-history': 'Deine letzten Zahlungen (Antwort kommt privat)',
  'menu-limits': 'Deine Limits (Antwort kommt privat)',
  'menu-subscriptions': 'Deine Abos (Antwort kommt privat)',
  'menu-plan': 'Ein Formular für ein Abo: /plan Supporter 5 monthly',
  'menu-leaderboard': 'Wer hier am meisten gegeben und bekommen hat',
  'menu-react': 'Per Reaktion geben: in unserem privaten Chat einstellen',
  'menu-pause': 'Alle Ausgaben sofort ausschalten',
  'menu-connect': 'Dieses Konto mit deinem Ampersat-Namen verbinden',
  'menu-disconnect': 'Dieses Konto sofort trennen',
  'menu-help': 'So funktioniert es',
};
