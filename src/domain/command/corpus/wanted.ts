/**
 * The answers of the corpus in one line each: `none`, `help`, another verb, `!code` for an error, or a payment:
 * `tip bob 5 USDC`, `send 0x… 5 ETH on base`, `split bob,carol 10 USDC even 5000000,5000000`, with ` | memo` and ` ~ skipped` behind.
 * `order 5 USDC on base | memo` asks for money; `?note_unclear tip …` is a payment in doubt.
 * A recipient is a `name`, `#id`, `^id` (author of the replied-to message) or an address.
 */
import type { Command, Recipient } from '../../command.ts';

function recipient(short: string): Recipient {
  if (short.startsWith('#')) return { by: 'id', value: short.slice(1) };
  if (short.startsWith('^')) return { by: 'reply', value: short.slice(1) };
  return { by: /^0x|^\w{32,}$/.test(short) ? 'address' : 'handle', value: short };
}

/** An answer without what an error adds for its reader: the corpus has the codes, `errors.test.ts` the words. */
export function essence(command: Command): Command {
  return command.kind === 'error' ? { kind: 'error', code: command.code } : command;
}

export function wanted(short: string): Command {
  const doubt = /^\?(\w+) (.*)$/s.exec(short);
  if (doubt !== null) return { kind: 'confirm', intent: wanted(doubt[2] ?? ''), because: doubt[1] } as Command;
  if (short.startsWith('!')) return { kind: 'error', code: short.slice(1) } as Command;
  const [rest = '', skipped] = short.split(' ~ ');
  const [payment = '', memo] = rest.split(' | ');
  const [kind = '', people = '', amount = '', unit = '', ...more] = payment.split(' ');
  if (amount === '') return { kind } as Command;
  const chain = more.includes('on') ? more[more.indexOf('on') + 1] : undefined;
  if (kind === 'order') {
    const [, figure, coin, on, name] = payment.split(' ');
    return {
      kind,
      amount: figure,
      unit: coin,
      ...(on === 'on' ? { chain: name } : {}),
      ...(memo === undefined ? {} : { memo }),
    } as Command;
  }
  const isSplit = kind === 'split';
  return {
    kind,
    recipients: people.split(',').map(recipient),
    ...(isSplit ? {} : { amount }),
    unit,
    mode: isSplit ? more[0] : 'each',
    ...(chain === undefined ? {} : { chain }),
    ...(memo === undefined ? {} : { memo }),
    ...(isSplit ? { total: amount, shares_micro: (more[1] ?? '').split(',').map(Number) } : {}),
    ...(skipped === undefined ? {} : { skipped: skipped.split(',').map(recipient) }),
  } as Command;
}
