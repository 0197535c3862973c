// A command that calls the API: its connection, its client, and the words of a call that failed.
import type { Command } from 'commander';
import { type Ampersat, AmpersatConnectionError, AmpersatError, createAmpersat } from '../../sdk/index.ts';
import { type ConnectionFlags, findServiceConnection, type ServiceConnection } from './connection.ts';
import { CallError, UsageError } from './failure.ts';
import type { Shell } from './shell.ts';

export type CliSession = { ampersat: Ampersat; connection: ServiceConnection };

/**
 * Runs what a command does against the service that its flags name.
 * @throws UsageError and StartError without a connection; CallError when the service refuses or doesn’t answer
 */
export async function withApi(
  shell: Shell,
  command: Command,
  work: (session: CliSession) => Promise<void>,
): Promise<void> {
  const connection = findServiceConnection(command.optsWithGlobals<ConnectionFlags>(), shell.env);
  const ampersat = clientOf(connection);
  try {
    await work({ ampersat, connection });
  } catch (error) {
    throw callError(error, connection);
  }
}

/** @throws UsageError for a key that cannot be one, such as that of an example */
function clientOf({ apiKey, baseUrl }: ServiceConnection): Ampersat {
  try {
    return createAmpersat({ apiKey, baseUrl });
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

/** A failed call in the words of the command line. Anything else stays as it is. */
export function callError(error: unknown, { baseUrl, local }: Pick<ServiceConnection, 'baseUrl' | 'local'>): unknown {
  if (error instanceof AmpersatError) {
    const { code, message, type, param, requestId, docUrl } = error;
    const hint =
      local && code === 'api_key_invalid'
        ? ` (${local.path} may be of another stack than the one at ${baseUrl}. npm start writes a new one.)`
        : '';
    return new CallError(`${message}${hint}`, { code, type, param, request_id: requestId, doc_url: docUrl });
  }
  if (error instanceof AmpersatConnectionError) {
    const message =
      local && error.code === 'network'
        ? `The local stack of ${local.path} isn’t running. Start it: npm start`
        : `${error.message} Check the URL and your network connection.`;
    return new CallError(message, { code: `connection_${error.code}` });
  }
  return error;
}
