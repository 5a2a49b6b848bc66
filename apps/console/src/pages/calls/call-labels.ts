import type { PhoneCall } from '@parley/sdk'

type CallState = PhoneCall['state']
type EndReason = NonNullable<PhoneCall['endReason']>

interface CallLabel {
  readonly label: string
  /** Green: a call in progress. Blue: not answered yet. Gray: ended without fault. Orange: not reached. Red: a failure. */
  readonly color: 'green' | 'blue' | 'gray' | 'orange' | 'red'
}

export const stateLabels: Readonly<Record<CallState, CallLabel>> = {
  queued: { label: 'Queued', color: 'blue' },
  ringing: { label: 'Ringing', color: 'blue' },
  active: { label: 'Active', color: 'green' },
  ended: { label: 'Ended', color: 'gray' },
}

interface EndLabel extends CallLabel {
  readonly meaning: string
}

export const endLabels: Readonly<Record<EndReason, EndLabel>> = {
  hung_up: { label: 'Hung up', color: 'gray', meaning: 'The other party hung up.' },
  agent_hung_up: { label: 'Agent hung up', color: 'gray', meaning: 'The agent hung up.' },
  stopped: { label: 'Stopped', color: 'gray', meaning: 'A user or an API key ended the call.' },
  transferred: { label: 'Transferred', color: 'gray', meaning: 'The call was transferred.' },
  busy: { label: 'Busy', color: 'orange', meaning: 'The called party was busy.' },
  no_answer: {
    label: 'No answer',
    color: 'orange',
    meaning: 'The called party did not answer, or the caller gave up.',
  },
  rejected: { label: 'Rejected', color: 'orange', meaning: 'The call was rejected.' },
  voicemail: { label: 'Voicemail', color: 'orange', meaning: 'A voicemail answered, and the agent hung up.' },
  failed: { label: 'Failed', color: 'red', meaning: 'A technical failure ended the call.' },
}

export const directionLabels: Readonly<Record<PhoneCall['direction'], string>> = {
  incoming: 'Incoming',
  outgoing: 'Outgoing',
}

/** The duration in seconds since the answer, or null if the call was not answered. */
export function secondsOf({ answeredAt, endedAt }: PhoneCall, now: number): number | null {
  if (answeredAt === null) return null
  const end = endedAt === null ? now : Date.parse(endedAt)
  return Math.max(0, (end - Date.parse(answeredAt)) / 1000)
}
