import type { Approval } from '@parley/sdk'

export const stateLabels: Readonly<
  Record<Approval['state'], { readonly label: string; readonly color: string }>
> = {
  waiting: { label: 'Pending', color: 'orange' },
  approved: { label: 'Approved', color: 'green' },
  rejected: { label: 'Rejected', color: 'red' },
  expired: { label: 'Expired', color: 'gray' },
}
