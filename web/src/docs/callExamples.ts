// One call of the API in every language, written from one description of it.
import type { Language } from './languages.ts';

/** Visible ASCII: it stands in a header, which takes nothing else. */
export const PLACEHOLDER_KEY = 'sk_test_YOUR_KEY';

export type ApiCall = {
  operationId: string;
  method: string;
  /** With the scheme and host of the service. */
  origin: string;
  /** With real ids, and the same with the names of its parameters in braces. */
  path: string;
  template: string;
  query: Record<string, string | number>;
  body: Record<string, unknown> | null;
  key: string;
  idempotencyKey: string;
  isStream: boolean;
};

/** The verb of the SDK for each operation. */
export const SDK_VERBS: Record<string, string> = {
  createOrder: 'orders.create',
  listOrders: 'orders.list',
  getOrder: 'orders.get',
  cancelOrder: 'orders.cancel',
  refundOrder: 'orders.refund',
  createPaymentLink: 'paymentLinks.create',
  listPaymentLinks: 'paymentLinks.list',
  getPaymentLink: 'paymentLinks.get',
  deactivatePaymentLink: 'paymentLinks.deactivate',
  listPaymentLinkOrders: 'paymentLinks.orders',
  listPlans: 'plans.list',
  getPlan: 'plans.get',
  listSubscriptions: 'subscriptions.list',
  getSubscription: 'subscriptions.get',
  listSubscriptionCharges: 'subscriptions.charges',
  createCampaign: 'campaigns.create',
  listCampaigns: 'campaigns.list',
  getCampaign: 'campaigns.get',
  createGrants: 'campaigns.addGrants',
  listGrants: 'campaigns.grants',
  cancelGrants: 'campaigns.cancel',
  listEvents: 'events.list',
  streamEvents: 'events.stream',
  getEvent: 'events.get',
  replayEvent: 'events.replay',
  createWebhookEndpoint: 'webhookEndpoints.create',
  listWebhookEndpoints: 'webhookEndpoints.list',
  getWebhookEndpoint: 'webhookEndpoints.get',
  updateWebhookEndpoint: 'webhookEndpoints.update',
  deleteWebhookEndpoint: 'webhookEndpoints.delete',
  rollWebhookEndpointSecret: 'webhookEndpoints.rollSecret',
  sendTestEvent: 'webhookEndpoints.test',
  replayWebhookEndpoint: 'webhookEndpoints.replay',
  listWebhookDeliveries: 'webhookDeliveries.list',
  listRequestLogs: 'requestLogs.list',
  getRequestLog: 'requestLogs.get',
};

const LISTS_OF_ONE = new Set(['listPaymentLinkOrders', 'listSubscriptionCharges', 'listGrants']);

export function examplesOf(call: ApiCall): { language: Language; text: string }[] {
  return [
    { language: 'curl', text: curlOf(call) },
    { language: 'node', text: nodeOf(call) },
    { language: 'python', text: pythonOf(call) },
    { language: 'php', text: phpOf(call) },
  ];
}

const hasBody = ({ body }: ApiCall) => body !== null && Object.keys(body).length > 0;

function addressOf({ origin, path, query }: ApiCall): string {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]),
  ).toString();
  return `${origin}${path}${search === '' ? '' : `?${search}`}`;
}

function headersOf(call: ApiCall): [string, string][] {
  return [
    ['Authorization', `Bearer ${call.key}`],
    ...(call.method === 'POST' ? [['Idempotency-Key', call.idempotencyKey] as [string, string]] : []),
    ...(hasBody(call) ? [['Content-Type', 'application/json'] as [string, string]] : []),
  ];
}

function curlOf(call: ApiCall): string {
  const { method } = call;
  const how = call.isStream ? '-N ' : method === 'GET' || (method === 'POST' && hasBody(call)) ? '' : `-X ${method} `;
  const address = addressOf(call);
  const lines = [
    // A shell would read & and ? as its own.
    `curl ${how}${/[?&]/.test(address) ? `'${address}'` : address}`,
    ...headersOf(call).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(hasBody(call) ? [`-d '${JSON.stringify(call.body, null, 2).replaceAll("'", "'\\''")}'`] : []),
  ];
  return lines.join(' \\\n  ');
}

function nodeOf(call: ApiCall): string {
  const { operationId, origin, key, query, isStream } = call;
  return `import { createAmpersat } from '@ampersat/sdk';

const ampersat = createAmpersat({ apiKey: ${quoted(key)}, baseUrl: ${quoted(origin)} });

${
  isStream
    ? `for await (const event of ampersat.${SDK_VERBS[operationId]}()) {
  console.log(event.type, event.id);
}`
    : `const ${resultOf(call)} = await ampersat.${sdkCall(call, Object.keys(query).length > 0 ? literal(query, NODE) : '')};
console.log(${resultOf(call)});`
}`;
}

function sdkCall(call: ApiCall, query: string): string {
  const { operationId, template, path, method, body, idempotencyKey } = call;
  const id = path.split('/')[3];
  const ids = template.includes('{') && id ? [quoted(id)] : [];
  // The list of a resource’s own things is another step.
  if (LISTS_OF_ONE.has(operationId)) return `${SDK_VERBS[operationId]}(${ids}).list(${query})`;
  const given = operationId === 'replayWebhookEndpoint' ? quoted(String(body?.['since'])) : literal(body ?? {}, NODE);
  const how = `{ idempotencyKey: ${quoted(idempotencyKey)} }`;
  const parameters =
    method === 'POST' ? [...ids, ...(body === null ? [] : [given]), how] : [...ids, ...(query ? [query] : [])];
  return `${SDK_VERBS[operationId]}(${parameters.join(', ')})`;
}

/** What the program calls the answer: the last word of the verb’s resource, one or several. */
function resultOf({ operationId }: ApiCall): string {
  if (/Orders$/.test(operationId)) return 'orders';
  if (/Events$/.test(operationId)) return 'events';
  if (/^list/.test(operationId)) return operationId.endsWith('Deliveries') ? 'deliveries' : 'page';
  if (operationId === 'refundOrder') return 'refund';
  if (/Order$/.test(operationId)) return 'order';
  if (/Link$/.test(operationId)) return 'link';
  if (/Event$/.test(operationId)) return 'event';
  if (/Plan$/.test(operationId)) return 'plan';
  if (/Subscription$/.test(operationId)) return 'subscription';
  if (operationId === 'createGrants') return 'added';
  if (/Campaign$/.test(operationId) || operationId === 'cancelGrants') return 'campaign';
  return 'endpoint';
}

function pythonOf(call: ApiCall): string {
  const { method, isStream } = call;
  const lines = [
    ...(isStream ? [] : ['import json']),
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    ${quoted(addressOf(call), '"')},`,
    `    method=${quoted(method, '"')},`,
    '    headers={',
    ...headersOf(call).map(([name, value]) => `        ${quoted(name, '"')}: ${quoted(value, '"')},`),
    '    },',
    ...(hasBody(call) ? [`    data=json.dumps(${literal(call.body, PYTHON, 1)}).encode(),`] : []),
    ')',
    'with urlopen(request) as response:',
    ...(isStream
      ? ['    for line in response:', '        print(line.decode(), end="")']
      : ['    print(json.load(response))']),
  ];
  return lines.join('\n');
}

function phpOf(call: ApiCall): string {
  const { method, isStream } = call;
  const lines = [
    '<?php',
    `$request = curl_init(${quoted(addressOf(call))});`,
    'curl_setopt_array($request, [',
    ...(isStream ? [] : ['    CURLOPT_RETURNTRANSFER => true,']),
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => ${quoted(method)},`]),
    '    CURLOPT_HTTPHEADER => [',
    ...headersOf(call).map(([name, value]) => `        ${quoted(`${name}: ${value}`)},`),
    '    ],',
    ...(hasBody(call) ? [`    CURLOPT_POSTFIELDS => json_encode(${literal(call.body, PHP, 1)}),`] : []),
    ']);',
    isStream ? 'curl_exec($request);' : 'print_r(json_decode(curl_exec($request), true));',
  ];
  return lines.join('\n');
}

type Syntax = {
  indent: string;
  quote: '"' | "'";
  braces: readonly [string, string];
  brackets: readonly [string, string];
  entry(name: string, value: string): string;
  words: Record<string, string>;
};

const NODE: Syntax = {
  indent: '  ',
  quote: "'",
  braces: ['{', '}'],
  brackets: ['[', ']'],
  entry: (name, value) => `${/^[a-z_]\w*$/i.test(name) ? name : quoted(name)}: ${value}`,
  words: {},
};
const PYTHON: Syntax = {
  indent: '    ',
  quote: '"',
  braces: ['{', '}'],
  brackets: ['[', ']'],
  entry: (name, value) => `${quoted(name, '"')}: ${value}`,
  words: { true: 'True', false: 'False', null: 'None' },
};
const PHP: Syntax = {
  indent: '    ',
  quote: "'",
  braces: ['[', ']'],
  brackets: ['[', ']'],
  entry: (name, value) => `${quoted(name)} => ${value}`,
  words: {},
};

/** A value of JSON as a literal of a language; objects have a line for each entry. */
function literal(value: unknown, syntax: Syntax, depth = 0): string {
  const { indent, quote, braces, brackets, entry, words } = syntax;
  if (typeof value === 'string') return quoted(value, quote);
  if (Array.isArray(value))
    return `${brackets[0]}${value.map((one) => literal(one, syntax, depth)).join(', ')}${brackets[1]}`;
  if (typeof value !== 'object' || value === null) return words[String(value)] ?? String(value);
  const entries = Object.entries(value).map(([name, one]) => entry(name, literal(one, syntax, depth + 1)));
  if (entries.length === 0) return braces.join('');
  const around = `\n${indent.repeat(depth)}`;
  return `${braces[0]}${entries.map((one) => `${around}${indent}${one},`).join('')}${around}${braces[1]}`;
}

function quoted(text: string, quote = "'"): string {
  return `${quote}${text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`).replaceAll('\n', '\\n')}${quote}`;
}
