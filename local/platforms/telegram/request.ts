/** Reads the parameters of a request as Telegram does: from the query, a form, or JSON, in whatever mixture. */
import type { IncomingMessage } from 'node:http';
import { readBody as readWhole } from '../platformServer.ts';
import { BotApiError, badRequest } from './wire.ts';

const MAX_BODY_BYTES = 1024 * 1024;
/** Parameters that are objects; in a query or a form they are written as JSON. */
const OBJECTS = new Set([
  'entities',
  'reply_parameters',
  'ephemeral_message_parameters',
  'reply_markup',
  'link_preview_options',
  'allowed_updates',
  'commands',
  'scope',
  'reaction',
  'result',
]);
const BOOLEANS = new Set([
  'drop_pending_updates',
  'allow_sending_without_reply',
  'protect_content',
  'disable_notification',
  'show_alert',
  'is_big',
]);

/** Query parameters and body in one record, decoded to the types that a JSON body would have. */
export async function readParams(request: IncomingMessage, query: URLSearchParams): Promise<Record<string, unknown>> {
  const type = request.headers['content-type'] ?? '';
  const fields: Record<string, unknown> = Object.fromEntries(query);
  const body = request.method === 'POST' ? await readBody(request) : Buffer.alloc(0);
  if (body.length > 0) Object.assign(fields, await readFields(body, type));
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, decode(name, value)]));
}

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw badRequest("can't parse the body as JSON");
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const body = await readWhole(request, MAX_BODY_BYTES);
  if (!body) throw new BotApiError(413, 'Request Entity Too Large');
  return body;
}

async function readFields(body: Buffer, type: string): Promise<Record<string, unknown>> {
  if (type.startsWith('application/json')) {
    try {
      const value = JSON.parse(body.toString('utf8'));
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    } catch {
      // Refused below, with whatever else is not an object.
    }
    throw badRequest("Can't parse JSON object");
  }
  if (!type.startsWith('application/x-www-form-urlencoded') && !type.startsWith('multipart/form-data')) return {};
  try {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
  } catch {
    throw badRequest("can't parse the form");
  }
}

function decode(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (BOOLEANS.has(name)) return /^(true|1|yes|t)$/i.test(value);
  if (!OBJECTS.has(name) || value === '') return value;
  try {
    return JSON.parse(value);
  } catch {
    const what = name === 'reply_markup' ? 'reply keyboard markup' : name;
    throw badRequest(`can't parse ${what} JSON object`);
  }
}
