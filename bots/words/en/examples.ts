// How a command is typed, as it stands in other sentences: each platform has its own form, and a post on X may name no account.

export const examples = {
  'type-tip-telegram': '/tip @name 5',
  'type-tip-discord': '/tip to:@name amount:5',
  'type-tip-x': '“tip 5” with my name in a reply to their post',
  'type-reply-telegram': 'reply to one of their messages with /tip 5',
  'type-reply-discord': 'open the menu of one of their messages and choose Apps, then {$menu}',
  'type-reply-x': 'reply to one of their posts with “tip 5” and my name',
  'type-send-telegram': '/send 0x… 5',
  'type-send-discord': '/send to:0x… amount:5',
  'type-send-x': '“send 0x… 5” with my name',
  'type-order-telegram': '/order 25 for coffee',
  'type-order-discord': '/order amount:25 for:coffee',
  'type-order-x': '“order 25 for coffee” with my name',
  'type-react-telegram': '/react 👍 1',
  'type-react-discord': '/react emoji:👍 amount:1',
  'type-react-off-telegram': '/react off',
  'type-react-off-discord': '/react emoji:off',
  'type-help-telegram': '/help',
  'type-help-discord': '/help',
  'type-help-x': '“help”',
} as const;
