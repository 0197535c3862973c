import { expect, test } from 'vitest';
import { StartError } from '../../src/domain/errors.ts';
import { HELP, readOptions } from './options.ts';

test('the defaults are three chains on port 8080', () => {
  expect(readOptions([])).toEqual({
    dataDir: '.ampersat',
    port: 8080,
    host: 'localhost',
    chains: ['base', 'base-sepolia', 'solana'],
    fresh: false,
    help: false,
  });
});

test('a chain named twice is started once', () => {
  expect(readOptions(['--chains', 'base, celo,base']).chains).toEqual(['base', 'celo']);
});

test.each([
  [['--port', '99999'], '--port takes a number from 0 to 65535.'],
  [['--port', 'web'], '--port takes a number from 0 to 65535.'],
  [['--chains', 'base,mars'], '--chains: mars is not a chain. Known: base, '],
  [['--host', '0.0.0.0'], '--host takes localhost or 127.0.0.1.'],
  [['--nonsense'], HELP],
  [['base'], HELP],
])('%j is refused with what to do', (argv, message) => {
  const refused = () => readOptions(argv);
  expect(refused).toThrow(StartError);
  expect(refused).toThrow(message);
});
