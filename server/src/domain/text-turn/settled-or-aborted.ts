/** What the work comes to, or that nobody waits for it any more: then its outcome does not matter. */
export function settledOrAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result | 'aborted'> {
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve('aborted')
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}
