/** The number of concurrent calls. The service would queue any more. */
const concurrency = 6

/**
 * Calls `work` for each item, a few at a time, until one call fails. Returns the results in the order of the
 * items.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Map<number, Result>()
  const left = items.entries()
  let isOver = false
  const worker = async () => {
    for (const [index, item] of left) {
      if (isOver) return
      try {
        results.set(index, await work(item))
      } catch (error) {
        isOver = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  return items.flatMap((_, index) => {
    const result = results.get(index)
    return result === undefined ? [] : [result]
  })
}
