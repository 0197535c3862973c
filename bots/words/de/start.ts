// The first message of the direct chat, in German, and its buttons.

export const start = {
  start: `
    Hi! Ich schicke Dollar (USDC) an alle in deinen Chats.
    Verbinde dich einmal, dann schreib {$tip} in einen Chat, in dem wir beide sind.
    Du zahlst eine kleine Gebühr dazu, meist 0,05 $ oder 0,10 $; der volle Betrag kommt an.
  `,
  'button-try': 'Ausprobieren',
  'button-fees': 'So sind die Gebühren',
  'menu-split': 'Betrag aufteilen: /split 9 @name @name',
} as const;
