// What a shop writes on orders and links, as the dashboard sends it. What is allowed in each is the service's to say: it says it to the API in the same words.
import { z } from 'zod';
import { amountText } from '../parse.ts';

const url = z.string().max(4_096).nullish();

export const shopFields = {
  success_url: url,
  cancel_url: url,
  client_reference_id: z.string().max(2_000).nullish(),
  line_items: z
    .array(z.strictObject({ name: z.string().max(2_000), quantity: z.number(), amount: amountText }))
    .max(1_000)
    .nullish(),
  embed_origins: z.array(z.string().max(4_096)).max(100).nullish(),
};

export const linkBounds = {
  after_completion: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('message'), message: z.string().max(2_000) }),
      z.strictObject({ type: z.literal('url'), url: z.string().max(4_096) }),
    ])
    .nullish(),
  max_uses: z.number().nullish(),
  expires_at: z.string().max(60).nullish(),
};
