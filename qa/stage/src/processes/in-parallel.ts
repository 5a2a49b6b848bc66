/** Runs a job for each index, at most `width` at a time. Returns the results in order. */
export async function inParallel<Result>(
  count: number,
  width: number,
  job: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(count)
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next
      next += 1
      results[index] = await job(index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, count) }, work))
  return results
}
