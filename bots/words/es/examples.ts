// The examples in Spanish; en/examples.ts says what each is for.
import type { examples as english } from '../en/examples.ts';

export const examples: Record<keyof typeof english, string> = {
  'type-tip-telegram': '/tip @nombre 5',
  'type-tip-discord': '/tip to:@nombre amount:5',
  'type-tip-x': '«tip 5» con mi nombre en una respuesta a su post',
  'type-reply-telegram': 'responde a uno de sus mensajes con /tip 5',
  'type-reply-discord': 'abre el menú de uno de sus mensajes y elige Aplicaciones y luego {$menu}',
  'type-reply-x': 'responde a uno de sus posts con «tip 5» y mi nombre',
  'type-send-telegram': '/send 0x… 5',
  'type-send-discord': '/send to:0x… amount:5',
  'type-send-x': '«send 0x… 5» con mi nombre',
  'type-order-telegram': '/order 25 por café',
  'type-order-discord': '/order amount:25 for:café',
  'type-order-x': '«order 25 por café» con mi nombre',
  'type-react-telegram': '/react 👍 1',
  'type-react-discord': '/react emoji:👍 amount:1',
  'type-react-off-telegram': '/react off',
  'type-react-off-discord': '/react emoji:off',
  'type-help-telegram': '/help',
  'type-help-discord': '/help',
  'type-help-x': '«help»',
};
