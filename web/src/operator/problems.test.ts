// What operators read of the parts that are not ready.
import { expect, test } from 'vitest';
import { problemsInWords } from './problems.ts';

test('names each cause once, with the parts that have it', () => {
  const away = 'the database does not answer';
  expect(
    problemsInWords([
      { name: 'database', problem: 'it does not answer' },
      { name: 'migrations', problem: away },
      { name: 'workers', problem: away },
      { name: 'signer', problem: away },
    ]),
  ).toBe('database (it does not answer), migrations, workers and signer (the database does not answer)');
});
