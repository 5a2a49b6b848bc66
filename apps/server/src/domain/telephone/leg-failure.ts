import type { EndReason } from '@parley/telephone'

/** The ends that are no decision of a person. */
type FailureKind = Exclude<EndReason['kind'], 'hung_up' | 'hung_up_by_peer' | 'transferred' | 'cancelled'>

const sentences: Readonly<Record<FailureKind, string>> = {
  closed: 'The line was closed.',
  rejected: 'The provider rejected the call.',
  busy: 'The number is busy.',
  declined: 'The call was declined.',
  no_answer: 'The call was not answered.',
  unreachable: 'The provider did not respond.',
  overloaded: 'The line has too many calls.',
  no_audio_port: 'No audio port is free. Enlarge PARLEY_PHONE_AUDIO_PORTS.',
  no_common_codec: 'The provider accepts neither PCMU nor PCMA, or no common encryption.',
  audio_lost: 'The audio of the call was lost.',
  session_expired: 'The provider stopped responding during the call.',
  unacknowledged: 'The provider did not confirm that the call was answered.',
  failed: 'The connection to the provider failed.',
}

/** Explains to the user why a leg failed. */
export function explainLegFailure(reason: Extract<EndReason, { kind: FailureKind }>): string {
  const sentence = sentences[reason.kind]
  if (reason.kind === 'rejected') return `The provider rejected the call (${reason.status}).`
  return reason.kind === 'failed' && reason.detail !== undefined ? `${sentence} ${reason.detail}` : sentence
}
