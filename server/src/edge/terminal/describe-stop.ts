/** What the operator reads after the first signal: what is waited for, how long, and how not to wait. */
export function describeStop(
  { sessions, turns }: { readonly sessions: number; readonly turns: number },
  drainSeconds: number,
): string {
  const open = [counted(sessions, 'session'), counted(turns, 'turn')].filter((part) => part !== null)
  if (open.length === 0) return 'shutting down; a second signal ends it at once'
  return `shutting down; waiting up to ${drainSeconds} s for ${open.join(' and ')}; a second signal (Ctrl-C) ends it at once`
}

function counted(count: number, noun: string): string | null {
  if (count === 0) return null
  return `${count} open ${noun}${count === 1 ? '' : 's'}`
}
