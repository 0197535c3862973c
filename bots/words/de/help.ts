// The help sentences in German; en/help.ts says what each is for.
import type { help as english } from '../en/help.ts';

export const help: Record<keyof typeof english, string> = {
  help: `
    Bezahl hier alle beim Namen, in digitalen Dollar (USDC).

    /tip @bob 5: Jede genannte Person bekommt 5 USDC
    /tip 5: Als Antwort gibst du der Person, der du antwortest
    /tip @bob @carol 5 for lunch: Beide bekommen je 5, mit einer Notiz
    /send @bob 20 on base: Eine Person, auf der Chain, die du nennst
    /send 0x… 20: An eine Adresse
    /order 25 for coffee: Bittet um 25 USDC, mit einem Link, den alle bezahlen können
    /balance, /history, /limits: Die Antwort kommt privat
    /react 👍 1: Deine Reaktion mit diesem Emoji in einer Gruppe gibt 1 USDC (aus, bis du es einstellst)
    /leaderboard: Wer hier am meisten gegeben und bekommen hat, von denen, die mit /leaderboard on dabei sind
    /pause: Hält sofort alle deine Ausgaben an
    /connect, /disconnect: Ob dieses Konto zu deinem Ampersat-Namen gehört

    Die Gebühr ist 0.05 USD unter 5 USD und 0.10 ab 5 USD und kommt obendrauf: Die andere Seite bekommt den vollen Betrag.
    Über 50 USD frage ich vorher. Ampersat-Namen schreibt man name@ampersat. Unser privater Chat: @{$bot}.
  `,

  'menu-tip': 'Jemandem etwas geben: /tip @name 5',
  'menu-send': 'An eine Person oder Adresse senden: /send @name 5',
  'menu-order': 'Mit einem Link um Geld bitten: /order 25 for coffee',
  'menu-balance': 'Was du hast (Antwort kommt privat)',
  'menu-history': 'Deine letzten Zahlungen (Antwort kommt privat)',
  'menu-limits': 'Was du ausgeben darfst (Antwort kommt privat)',
  'menu-leaderboard': 'Wer hier am meisten gegeben und bekommen hat',
  'menu-react': 'Per Reaktion geben: in unserem privaten Chat einstellen',
  'menu-pause': 'Alle Ausgaben sofort anhalten',
  'menu-connect': 'Dieses Konto mit deinem Ampersat-Namen verbinden',
  'menu-disconnect': 'Diese Verbindung sofort beenden',
  'menu-help': 'So funktioniert es',
};
