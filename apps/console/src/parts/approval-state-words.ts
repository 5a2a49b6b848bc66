import type { Approval } from '@parley/sdk'

/** What became of an approval, for a person. */
export const stateWords: Readonly<
  Record<Approval['state'], { readonly words: string; readonly color: string }>
> = {
  waiting: { words: 'Waiting', color: 'orange' },
  approved: { words: 'Approved', color: 'green' },
  rejected: { words: 'Rejected', color: 'red' },
  expired: { words: 'Expired', color: 'gray' },
}
