import { readFileSync } from 'node:fs'

/*
 * Loaded into an instance before anything else (`--import`): its wall clock is off by as many milliseconds as stand in
 * the file that CHAOS_CLOCK_FILE names, from a moment after they stand there.
 *
 * It covers what JavaScript reads of the time of day, in all threads: `Date`, with `new` and without. It does not cover
 * the monotonic clock and timers, which do not jump when a clock is set either, nor the time of day in native code, such
 * as that by which certificates are checked.
 */
const path = process.env.CHAOS_CLOCK_FILE
const pollMilliseconds = 200
const RealDate = Date
let shiftMilliseconds = 0

const now = () => RealDate.now() + shiftMilliseconds

if (path !== undefined) {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })
  setInterval(() => {
    try {
      shiftMilliseconds = Number(readFileSync(path, 'utf8')) || 0
    } catch {
      // Being written, or gone with the run.
    }
  }, pollMilliseconds).unref()
}
