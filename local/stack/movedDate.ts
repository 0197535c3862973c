// Loaded before a process of the local stack (`--import`): its `Date` is the local clock, which `ampersat clock` moves. No deployment has it.

const RealDate = Date;
let offsetMs = Number(process.env['LOCAL_CLOCK_OFFSET_MS'] ?? 0);
const now = () => RealDate.now() + offsetMs;

function MovedDate(this: unknown, ...given: unknown[]): unknown {
  if (new.target === undefined) return new RealDate(now()).toString();
  const target = (new.target as unknown) === MovedDate ? RealDate : new.target;
  return Reflect.construct(RealDate, given.length === 0 ? [now()] : given, target);
}
// What was made before, and what native code makes, is of the same class.
MovedDate.prototype = RealDate.prototype;
Object.setPrototypeOf(MovedDate, RealDate);
MovedDate.now = now;
globalThis.Date = MovedDate as unknown as DateConstructor;

process.on('message', (message) => {
  const { clock } = message as { clock?: unknown };
  if (typeof clock === 'number') offsetMs = clock;
});
// A listener would keep a process alive that has nothing else to do.
process.channel?.unref();
