// The examples in German; en/examples.ts says what each is for.
import type { examples as english } from '../en/examples.ts';

export const examples: Record<keyof typeof english, string> = {
  'type-tip-telegram': '/tip @name 5',
  'type-tip-discord': '/tip to:@name amount:5',
  'type-tip-x': '„tip 5“ mit meinem Namen als Antwort auf den Post',
  'type-reply-telegram': 'antworte auf eine Nachricht der Person mit /tip 5',
  'type-reply-discord': 'öffne das Menü einer Nachricht der Person und wähl Apps, dann {$menu}',
  'type-reply-x': 'antworte auf einen Post der Person mit „tip 5“ und meinem Namen',
  'type-send-telegram': '/send 0x… 5',
  'type-send-discord': '/send to:0x… amount:5',
  'type-send-x': '„send 0x… 5“ mit meinem Namen',
  'type-order-telegram': '/order 25 für Kaffee',
  'type-order-discord': '/order amount:25 for:Kaffee',
  'type-order-x': '„order 25 für Kaffee“ mit meinem Namen',
  'type-react-telegram': '/react 👍 1',
  'type-react-discord': '/react emoji:👍 amount:1',
  'type-react-off-telegram': '/react off',
  'type-react-off-discord': '/react emoji:off',
  'type-help-telegram': '/help',
  'type-help-discord': '/help',
  'type-help-x': '„help“',
};
