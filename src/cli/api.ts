// A command that calls the API: its connection, its client, and what it says when the service does not.
import type { Command } from 'commander';
import { type Ampersat, AmpersatConnectionError, AmpersatError, createAmpersat } from '../../sdk/index.ts';
import { type Connection, type ConnectionFlags, findConnection } from './connection.ts';
import { CallError, UsageError } from './failure.ts';
import type { Shell } from './shell.ts';

export type Session = { ampersat: Ampersat; connection: Connection };

/**
 * Runs what a command does against the service that its flags name.
 * @throws UsageError and StartError when none is named; CallError when the service says no or does not answer
 */
export async function withApi(
  shell: Shell,
  command: Command,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const connection = findConnection(command.optsWithGlobals<ConnectionFlags>(), shell.env);
  const ampersat = clientOf(connection);
  try {
    await work({ ampersat, connection });
  } catch (error) {
    throw callError(error, connection);
  }
}

/** @throws UsageError for a key that cannot be one, such as that of an example */
function clientOf({ apiKey, baseUrl }: Connection): Ampersat {
  try {
    return createAmpersat({ apiKey, baseUrl });
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

/** What a failed call is called here. Anything else stays as it is. */
export function callError(error: unknown, { baseUrl, local }: Pick<Connection, 'baseUrl' | 'local'>): unknown {
  if (error instanceof AmpersatError) {
    const { code, message, type, param, requestId, docUrl } = error;
    const hint =
      local && code === 'api_key_invalid'
        ? ` (Was ${local.path} written by the stack that runs at ${baseUrl}? npm start writes a new one.)`
        : '';
    return new CallError(`${message}${hint}`, { code, type, param, request_id: requestId, doc_url: docUrl });
  }
  if (error instanceof AmpersatConnectionError) {
    const message =
      local && error.code === 'network'
        ? `The local stack of ${local.path} does not run. Start it: npm start`
        : `${error.message} Check the address, and the network.`;
    return new CallError(message, { code: `connection_${error.code}` });
  }
  return error;
}
