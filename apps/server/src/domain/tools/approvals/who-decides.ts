import type { ApprovedBy } from '@parley/contract'

/** What a tool and a session allow together; null if that is nobody. */
export function narrowed(one: ApprovedBy, other: ApprovedBy): ApprovedBy | null {
  if (one === 'either') return other
  return other === 'either' || other === one ? one : null
}

/** What the model reads if nobody may decide on a call. */
export const undecidable =
  'Of the tool and the session, one leaves approval to the client and the other to staff, so nobody may approve this call. It was not run.'

/** Why a decision was refused, to the one who made it. */
export function refusalOf(allowed: ApprovedBy): string {
  return allowed === 'client'
    ? 'Only the client may decide on this call: the user of its session, or the caller who asked the question.'
    : 'Only staff may decide on this call: people and API keys with the scope approval:decide.'
}
