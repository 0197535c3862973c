// What keeps money safe, in the words of those whose money it is.
const RULES = [
  {
    title: 'Your wallet, your money',
    text: 'Ampersat holds no balance of yours. It can move only what your wallet allowed, within the limits you set.',
  },
  {
    title: 'You see it first',
    text: 'Checkout and chat name the amount, fee, recipient and network. Above $50 the bot asks before it sends.',
  },
  {
    title: 'Paid once',
    text: 'Each message and each order is paid at most once. The contracts enforce it and cannot be upgraded.',
  },
  {
    title: 'Final means final',
    text: 'An order completes only with proof from a final block, never because a page or a server said so.',
  },
  {
    title: 'You can stop it',
    text: '/pause stops all spending at once, in any chat. Only your wallet can resume it.',
  },
  {
    title: 'Verifiable events',
    text: 'Webhooks are signed, retried for over a day and can be replayed, so your server never has to guess.',
  },
];

export function Safety() {
  return (
    <section aria-labelledby="safety" className="flex flex-col gap-4">
      <h2 id="safety" className="text-xl font-semibold tracking-tight">
        How your money stays safe
      </h2>
      <ul className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
        {RULES.map(({ title, text }) => (
          <li key={title} className="border-l-2 border-accent pl-4">
            <h3 className="font-semibold">{title}</h3>
            <p className="text-sm text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
