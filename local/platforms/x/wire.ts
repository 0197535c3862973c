/** The shapes of X API v2 that the local server speaks, and the problems that it answers with. */

import type {
  InlineErrorV2,
  NoteTweetV2,
  TweetEntityHashtagV2,
  TweetEntityMentionV2,
  TweetEntityUrlV2,
  TweetV2,
  UserV2,
} from 'twitter-api-v2';

export type XUser = Pick<UserV2, 'id' | 'username' | 'name'>;
/** The account of a bot, and the OAuth client that acts for it. */
export type XBotAccount = XUser & { clientId: string; clientSecret: string; refreshToken: string };

export type Span = { start: number; end: number };
/** X gives only what a text has of these; a mention of an unknown name comes without an id. */
export type WireEntities = {
  mentions?: (Omit<TweetEntityMentionV2, 'id'> & Partial<Pick<TweetEntityMentionV2, 'id'>>)[];
  urls?: (Omit<TweetEntityUrlV2, 'unwound_url'> & { media_key?: string })[];
  hashtags?: TweetEntityHashtagV2[];
  cashtags?: TweetEntityHashtagV2[];
};

/** A post in the shape of the client's own types, and with what X sends and those leave out. */
export type WirePost = Pick<
  TweetV2,
  | 'id'
  | 'text'
  | 'edit_history_tweet_ids'
  | 'author_id'
  | 'conversation_id'
  | 'created_at'
  | 'in_reply_to_user_id'
  | 'lang'
  | 'referenced_tweets'
> & {
  display_text_range?: [number, number];
  entities?: WireEntities;
  note_tweet?: Pick<NoteTweetV2, 'text'> & { entities?: WireEntities };
};

/** A refusal as X words it: `application/problem+json`. */
export class XProblem extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;
  constructor(status: number, body: Record<string, unknown>) {
    super(String(body['detail'] ?? body['title']));
    this.status = status;
    this.body = { status, ...body };
  }
}

const PROBLEMS = 'https://api.x.com/2/problems';

export function invalid(detail: string, parameter?: string): XProblem {
  const named = parameter === undefined ? {} : { parameters: { [parameter]: [] } };
  return new XProblem(400, {
    errors: [{ ...named, message: detail }],
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: `${PROBLEMS}/invalid-request`,
  });
}

export function unauthorized(): XProblem {
  return new XProblem(401, { title: 'Unauthorized', type: 'about:blank', detail: 'Unauthorized' });
}

export function forbidden(detail: string): XProblem {
  return new XProblem(403, { title: 'Forbidden', type: 'about:blank', detail });
}

export function notFound(detail = 'Not Found'): XProblem {
  return new XProblem(404, { title: 'Not Found', type: 'about:blank', detail });
}

export function tooMany(): XProblem {
  return new XProblem(429, { title: 'Too Many Requests', type: 'about:blank', detail: 'Too Many Requests' });
}

export function creditsDepleted(): XProblem {
  return new XProblem(402, {
    title: 'CreditsDepleted',
    detail: 'Your enrolled account does not have any credits to fulfill this request.',
    type: `${PROBLEMS}/credits`,
  });
}

/** The answer to a look-up of an unknown user or post: status 200 with an error and no data. */
export function missing(resource: 'user' | 'tweet', parameter: string, value: string): { errors: InlineErrorV2[] } {
  const detail = `Could not find ${resource} with ${parameter}: [${value}].`;
  return {
    errors: [
      {
        value,
        detail,
        title: 'Not Found Error',
        resource_type: resource,
        parameter,
        resource_id: value,
        type: `${PROBLEMS}/resource-not-found`,
      },
    ],
  };
}
