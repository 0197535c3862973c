// A request of the API log as a command for a shell. The key is not in it: the shell takes it from `AMPERSAT_KEY`.

type Called = {
  method: string;
  path: string;
  idempotency_key: string | null;
  request_body: { text: string } | null;
};

/** In single quotes nothing has a meaning to a shell but the single quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** @param origin of the API */
export function curlOf({ method, path, idempotency_key: key, request_body: body }: Called, origin: string): string {
  const how = method === 'HEAD' ? '--head' : `-X ${method}`;
  return [
    // Brackets of a query are no ranges.
    `curl --globoff ${how} ${quoted(`${origin}${path}`)}`,
    '-H "Authorization: Bearer $AMPERSAT_KEY"',
    ...(key === null ? [] : [`-H ${quoted(`Idempotency-Key: ${key}`)}`]),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `--data-raw ${quoted(body.text)}`]),
  ].join(' \\\n  ');
}
