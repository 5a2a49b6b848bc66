import { onTestFinished } from 'vitest'

type Close = () => Promise<unknown> | unknown

const untilTheFileEnds: Close[] = []

/**
 * Closes a helper's resource after the test that opened it, also if the test failed, or after the file if it
 * was opened for all tests. The returned function closes it earlier. It closes only once.
 */
export function closeAfterwards(close: Close): () => Promise<void> {
  let closing: Promise<void> | undefined
  const closeOnce = () => {
    closing ??= Promise.resolve(close()).then(() => undefined)
    return closing
  }
  try {
    onTestFinished(closeOnce)
  } catch {
    // Called in a hook for all tests, not in a test.
    untilTheFileEnds.push(closeOnce)
  }
  return closeOnce
}

/** The last resource opened closes first: sockets before their server. */
export async function closeRemaining(): Promise<void> {
  for (let close = untilTheFileEnds.pop(); close; close = untilTheFileEnds.pop()) await close()
}
