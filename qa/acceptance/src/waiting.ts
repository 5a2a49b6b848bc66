import { setTimeout as sleep } from 'node:timers/promises'
import { show, Unmet } from './expectations.js'

const pollMilliseconds = 100

/** Reads until the value is as expected, for data that is stored asynchronously. */
export async function eventually<Value>(
  read: () => Promise<Value>,
  isGood: (value: Value) => boolean,
  { expected, withinSeconds, signal }: { expected: string; withinSeconds: number; signal: AbortSignal },
): Promise<Value> {
  const end = performance.now() + withinSeconds * 1000
  for (;;) {
    const value = await read()
    if (isGood(value)) return value
    if (performance.now() > end) throw new Unmet(`${expected} within ${withinSeconds} s`, show(value))
    await sleep(pollMilliseconds, undefined, { signal })
  }
}

/** Returns the result of a promise. Throws if it takes too long. */
export async function inTime<Value>(
  promise: Promise<Value>,
  { expected, withinSeconds, got }: { expected: string; withinSeconds: number; got: () => string },
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Unmet(`${expected} within ${withinSeconds} s`, got())),
      withinSeconds * 1000,
    )
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
    promise.catch(() => undefined)
  }
}
