// Answers about handle pages. Amounts are canonical decimal strings, times ISO 8601 in UTC.
import { z } from 'zod';

const kind = z.enum(['personal', 'business']);

const shownMessage = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  note: z.string(),
  /** Null unless the owner shows amounts. */
  amount: z.string().nullable(),
  currency: z.string(),
  at: z.iso.datetime(),
});
export type ShownMessage = z.infer<typeof shownMessage>;

/** What its owner chose for all of their pages. */
const branding = z.strictObject({
  name: z.string().nullable(),
  logo_url: z.string().nullable(),
  accent: z.strictObject({ light: z.string(), dark: z.string() }).nullable(),
  support: z.string().nullable(),
});

export const publicHandlePage = z.strictObject({
  page: z.strictObject({
    object: z.literal('checkout.handle_page'),
    handle: z.string(),
    kind,
    url: z.url(),
    /** The path of a square WebP. */
    picture: z.string().nullable(),
    line: z.string().nullable(),
    branding: branding.nullable(),
    suggested_amounts: z.array(z.string()),
    currency: z.string(),
    chain: z.string(),
    chain_label: z.string(),
    chain_id: z.number(),
    livemode: z.boolean(),
    /** Whether the handle has a wallet there at the moment. */
    payable: z.boolean(),
    /** Whether a payer’s words may come to stand there. */
    show_messages: z.boolean(),
    /** The newest first. */
    messages: z.array(shownMessage),
  }),
});
export type PublicHandlePage = z.infer<typeof publicHandlePage>['page'];

/** The order that a visitor began; its page shows the rest. */
export const begunOrder = z.strictObject({ order: z.strictObject({ id: z.string() }) });

export const ownHandlePage = z.strictObject({
  page: z.strictObject({
    enabled: z.boolean(),
    handle: z.string(),
    kind,
    url: z.url(),
    /** The path of a square WebP. */
    picture: z.string().nullable(),
    line: z.string().nullable(),
    branding: branding.nullable(),
    suggested_amounts: z.array(z.string()),
    chain: z.string(),
    currency: z.string(),
    show_messages: z.boolean(),
    show_amounts: z.boolean(),
    chains: z.array(
      z.strictObject({
        chain: z.string(),
        label: z.string(),
        livemode: z.boolean(),
        currencies: z.array(z.string()),
        /** Why the handle can’t be paid there, in a sentence. */
        problem: z.string().nullable(),
      }),
    ),
  }),
});
export type OwnHandlePage = z.infer<typeof ownHandlePage>['page'];

const message = z.strictObject({
  id: z.string(),
  order: z.string(),
  name: z.string().nullable(),
  note: z.string().nullable(),
  amount: z.string(),
  currency: z.string(),
  livemode: z.boolean(),
  at: z.iso.datetime(),
  /** The payer agreed that it stands on the page. */
  may_show: z.boolean(),
  /** The owner took it off the page. */
  hidden: z.boolean(),
});
export type OwnMessage = z.infer<typeof message>;

export const ownMessage = z.strictObject({ message });
export const ownMessages = z.strictObject({
  object: z.literal('list'),
  data: z.array(message),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});
