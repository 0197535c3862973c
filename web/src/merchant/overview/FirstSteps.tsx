// What a new workspace does first, in place of figures that would all be zero.
import { CircleCheck, CircleDashed } from 'lucide-react';
import { ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import type { Overview } from './overviewApi.ts';

export function FirstSteps({ mode, setup }: { mode: Overview['mode']; setup: Overview['setup'] }) {
  const test = mode === 'test' ? 'test ' : '';
  const steps = [
    {
      done: setup.order,
      name: `Create a ${test}order`,
      what: 'An order requests one payment. Open its checkout link to see what your buyers see.',
      href: '/orders/new',
      button: 'New order',
    },
    {
      done: setup.key,
      name: `Create a ${test}API key`,
      what: 'With a key your own server creates orders.',
      href: '/keys',
      button: 'API keys',
    },
    {
      done: setup.endpoint,
      name: 'Add a webhook endpoint',
      what: 'It is notified of each payment, so that your shop knows when to ship.',
      href: '/webhooks',
      button: 'Webhooks',
    },
  ];
  const next = steps.find(({ done }) => !done);
  return (
    <Card title="Accept your first payment">
      <ol className="-my-2 flex flex-col">
        {steps.map((step) => (
          <li
            key={step.href}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line py-4 not-first:border-t"
          >
            <span className="flex min-w-0 grow basis-64 items-start gap-3">
              {step.done ? (
                <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent" />
              ) : (
                <CircleDashed aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
              )}
              <span className="flex min-w-0 flex-col">
                <b className="font-semibold">
                  {step.name}
                  {step.done && <span className="sr-only"> (done)</span>}
                </b>
                <span className="text-sm text-muted">{step.what}</span>
              </span>
            </span>
            <ButtonLink kind={step === next ? 'filled' : 'outlined'} href={step.href}>
              {step.button}
            </ButtonLink>
          </li>
        ))}
      </ol>
    </Card>
  );
}
