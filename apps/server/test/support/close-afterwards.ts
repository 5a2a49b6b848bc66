import { onTestFinished } from 'vitest'

type Close = () => Promise<unknown> | unknown

const untilTheFileEnds: Close[] = []

/**
 * Closes what a helper has opened when the test is over that asked for it, also when it failed; what was opened for all
 * tests of a file, when the file is. Whoever wants it closed before calls what this gives back: it closes once.
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
    // Not in a test: in a hook for all of them.
    untilTheFileEnds.push(closeOnce)
  }
  return closeOnce
}

/** What was opened last goes first: sockets before their server. */
export async function closeWhatIsLeft(): Promise<void> {
  for (let close = untilTheFileEnds.pop(); close; close = untilTheFileEnds.pop()) await close()
}
