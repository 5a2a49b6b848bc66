import type { Approval } from '@parley/sdk'

/** Labels of approval states. */
export const stateWords: Readonly<
  Record<Approval['state'], { readonly words: string; readonly color: string }>
> = {
  waiting: { words: 'Pending', color: 'orange' },
  approved: { words: 'Approved', color: 'green' },
  rejected: { words: 'Rejected', color: 'red' },
  expired: { words: 'Expired', color: 'gray' },
}
