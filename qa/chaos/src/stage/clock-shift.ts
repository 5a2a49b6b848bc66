import { readFileSync } from 'node:fs'

/*
 * Loaded into an instance before its own code (`--import`). Shifts its wall clock by the milliseconds in the
 * file that CHAOS_CLOCK_FILE names, shortly after the file changes.
 *
 * It shifts the time of day that JavaScript reads, in all threads: `Date`, with and without `new`. It does
 * not shift the monotonic clock and timers, which do not jump either when a real clock is set. It also does
 * not shift the time of day in native code, for example in checks of certificates.
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
      // The file is being written, or was removed at the end of the run.
    }
  }, pollMilliseconds).unref()
}
