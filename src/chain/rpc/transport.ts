// The way to a node: viem's transport over Node's HTTP client, because a call by its `fetch` takes three times the CPU time.
import { Agent as PlainAgent, request as requestPlain } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type HttpTransport, type HttpTransportConfig, http, ResponseBodyTooLargeError } from 'viem';

const inflate = promisify(gunzip);
/** Of an answer, also once it is decompressed: viem's own limit, which it applies to what is in memory already. */
const MOST_BYTES = 10_485_760;
const [plain, secure] = [new PlainAgent({ keepAlive: true }), new SecureAgent({ keepAlive: true })];

export function rpcTransport(url: string | undefined, config: HttpTransportConfig = {}): HttpTransport {
  return http(url, { ...config, fetchFn: post as typeof fetch });
}

/** What viem asks of an answer. */
type Answer = Pick<Response, 'ok' | 'status' | 'statusText' | 'body' | 'text'> & { headers: Pick<Headers, 'get'> };
type Call = { body: string; method: string; headers: Record<string, string>; signal?: AbortSignal | null };

/** @throws Error of the connection, or that the signal ended the call */
function post(url: string, { body, method, headers, signal }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const isSecure = url.startsWith('https:');
    const options = {
      method,
      agent: isSecure ? secure : plain,
      headers: { ...headers, 'accept-encoding': 'gzip', 'content-length': Buffer.byteLength(body) },
      ...(signal ? { signal } : {}),
    };
    const request = (isSecure ? requestSecure : requestPlain)(url, options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MOST_BYTES) request.destroy(tooLarge(size));
      });
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, statusMessage: statusText = '', headers: given } = response;
        const raw = Buffer.concat(chunks);
        resolve({
          ok: status >= 200 && status < 300,
          status,
          statusText,
          body: null,
          headers: { get: (name) => [given[name.toLowerCase()] ?? []].flat().join(', ') || null },
          text: async () => (given['content-encoding'] === 'gzip' ? await decompress(raw) : raw).toString(),
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** @param size of what was read until then */
function tooLarge(size: number): ResponseBodyTooLargeError {
  return new ResponseBodyTooLargeError({ maxSize: MOST_BYTES, size });
}

/** @throws ResponseBodyTooLargeError */
async function decompress(raw: Buffer): Promise<Buffer> {
  try {
    return await inflate(raw, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(MOST_BYTES + 1) : error;
  }
}
