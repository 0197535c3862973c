// A chat account of a handle, as its own pages show it.
import { z } from 'zod';

export const connectionView = z.strictObject({
  id: z.string(),
  platform: z.string(),
  platform_user_id: z.string(),
  username: z.string().nullable(),
  can_spend: z.boolean(),
  created_at: z.iso.datetime(),
});
export type ConnectionView = z.infer<typeof connectionView>;
