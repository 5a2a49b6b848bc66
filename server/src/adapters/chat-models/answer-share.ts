/** Parts of all answers together that are handled in one pass of the event loop. */
const partsInPass = 64

const waiting: (() => void)[] = []
let left = partsInPass
let isCounted = false

/**
 * To be awaited before a part of an answer is handled, unless it is null. Models send many parts at once, each of which
 * takes a tenth of a millisecond to parse and store: without a bound a hundred answers would keep everybody else waiting.
 */
export function takeShare(): Promise<void> | null {
  countPass()
  if (left > 0) {
    left -= 1
    return null
  }
  return new Promise((resolve) => void waiting.push(resolve))
}

function countPass(): void {
  if (isCounted) return
  isCounted = true
  setImmediate(beginPass)
}

function beginPass(): void {
  isCounted = false
  const next = waiting.splice(0, partsInPass)
  left = partsInPass - next.length
  if (next.length > 0) countPass()
  for (const goOn of next) goOn()
}
