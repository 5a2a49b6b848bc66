/** What the operator reads after the first signal: what is waited for, how long, and how not to wait. */
export function describeStop(
  {
    sessions,
    turns,
    waitingTurns,
  }: { readonly sessions: number; readonly turns: number; readonly waitingTurns: number },
  drainSeconds: number,
): string {
  const open = [counted(sessions, 'session'), counted(turns, 'turn')].filter((part) => part !== null)
  const start = `shutting down${leftWaiting(waitingTurns)}`
  if (open.length === 0) return `${start}; a second signal ends it at once`
  return `${start}; waiting up to ${drainSeconds} s for ${open.join(' and ')}; a second signal (Ctrl-C) ends it at once`
}

function leftWaiting(count: number): string {
  if (count === 0) return ''
  const who = count === 1 ? '1 turn that waits' : `${count} turns that wait`
  return `; not waiting for ${who} for approval: it can be given after the next start`
}

function counted(count: number, noun: string): string | null {
  if (count === 0) return null
  return `${count} open ${noun}${count === 1 ? '' : 's'}`
}
