// A round mark with the initial of a name; each name keeps its tint.
const TINTS = ['bg-accent text-on-accent', 'bg-soft text-accent', 'bg-amber-soft text-amber', 'bg-line text-ink'];

const SIZES = {
  small: 'size-6 text-sm',
  medium: 'size-8 text-sm',
  large: 'size-10 text-base',
  huge: 'size-20 text-xl',
};

export function Avatar({
  name,
  bot = false,
  size = 'medium',
}: {
  name: string;
  bot?: boolean;
  size?: keyof typeof SIZES;
}) {
  const tint = bot ? TINTS[0] : TINTS[1 + (tintOf(name.toLowerCase()) % (TINTS.length - 1))];
  return (
    <span
      aria-hidden="true"
      className={`inline-flex shrink-0 items-center justify-center rounded-full font-semibold select-none ${SIZES[size]} ${tint}`}
    >
      {bot ? '@' : ([...name][0] ?? '').toUpperCase()}
    </span>
  );
}

function tintOf(name: string): number {
  return [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), name.length);
}
