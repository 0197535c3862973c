// The options of `npm start`.
import { parseArgs } from 'node:util';
import { CHAIN_NAMES, type ChainName } from '../../src/domain/chains.ts';
import { StartError } from '../../src/domain/errors.ts';

const DEFAULT_CHAINS = 'base,base-sepolia,solana';

/** Both are this machine; pages and sign-ins stand under one of them. */
const HOSTS = ['localhost', '127.0.0.1'] as const;

export const HELP = `npm start -- [options]
  --data-dir DIR   where everything is kept (default .ampersat)
  --port N         the web port, 0 for any free one (default 8080)
  --host NAME      localhost, where passkeys work, or 127.0.0.1 (default localhost)
  --chains a,b     local chains (default ${DEFAULT_CHAINS}; known: ${CHAIN_NAMES.join(', ')})
  --fresh          forget everything first
  --help           this text
`;

/** @throws StartError that says what is wrong, or shows the help */
export function readOptions(argv: string[]) {
  try {
    const { values } = parseArgs({
      args: argv,
      options: {
        'data-dir': { type: 'string', default: '.ampersat' },
        port: { type: 'string', default: '8080' },
        host: { type: 'string', default: 'localhost' },
        chains: { type: 'string', default: DEFAULT_CHAINS },
        fresh: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new StartError('--port takes a number from 0 to 65535.');
    const host = HOSTS.find((one) => one === values.host);
    if (!host) throw new StartError(`--host takes ${HOSTS.join(' or ')}.`);
    const chains = values.chains.split(',').map((name) => name.trim());
    for (const name of chains) {
      if (!(CHAIN_NAMES as string[]).includes(name))
        throw new StartError(`--chains: ${name} is not a chain. Known: ${CHAIN_NAMES.join(', ')}.`);
    }
    return {
      dataDir: values['data-dir'],
      port,
      host,
      chains: [...new Set(chains)] as ChainName[],
      fresh: values.fresh,
      help: values.help,
    };
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(`${(error as Error).message}\n\n${HELP}`);
  }
}
