import type { ApprovalRecord } from '../../../ports/approval-store.js'

/** What became of a call that waited for a person. */
export type ApprovalOutcome =
  | { readonly type: 'approved' }
  | { readonly type: 'rejected'; readonly reason: string | null }
  | { readonly type: 'expired' }

/** What the model reads where a call that needed approval was not run. */
export const approvalTexts = {
  expired: 'Nobody approved this call in time. It was not run.',
  withdrawn: 'The call was withdrawn before anybody had decided on it. It was not run.',
  notRecorded: 'The call needs approval, and the approval could not be recorded. It was not run.',
} as const

export function rejectionText(reason: string | null): string {
  // Not by whom: a program may decide for a person who is not there.
  const rejected = 'This call was rejected. It was not run.'
  return reason === null ? rejected : `${rejected} The reason given: ${reason}`
}

/** Null while the row still waits. */
export function outcomeOf({ state, reason }: ApprovalRecord): ApprovalOutcome | null {
  if (state === 'waiting') return null
  return state === 'rejected' ? { type: 'rejected', reason } : { type: state }
}

/**
 * Returns the arguments that a person was asked about: the parsed text of the row. They fitted the tool's schema when the
 * row was written, so they are not checked again.
 */
export function askedArguments({ arguments: text }: ApprovalRecord): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('The arguments of the approval are not a JSON object.')
  return { ...value }
}
