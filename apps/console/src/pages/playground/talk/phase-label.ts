import type { VoiceEnd, VoiceState } from '@parley/sdk/realtime'

/** The state of the session as text. */
export function phaseLabel({ phase, media, isPersonSpeaking }: VoiceState): string {
  if (phase === 'listening' && media.microphone === 'muted') return 'Muted'
  if (phase === 'listening' && media.microphone === 'lost') return 'Microphone lost'
  if (phase === 'listening' && isPersonSpeaking) return 'You’re speaking'
  return labels[phase]
}

const labels: Readonly<Record<VoiceState['phase'], string>> = {
  connecting: 'Connecting…',
  listening: 'Listening',
  thinking: 'Thinking…',
  speaking: 'Speaking',
  reconnecting: 'Reconnecting…',
  ended: 'Ended',
}

/** Advice for each end reason, in addition to its message. */
export function endAdvice({ reason, errorCode, canResume }: VoiceEnd): string {
  if (reason === 'microphone_unavailable') return 'You can type instead.'
  if (reason === 'provider_unavailable' || errorCode?.startsWith('RealtimeUnsupported'))
    return 'Check the agent’s connection and realtime model, or type instead.'
  if (errorCode === 'RealtimeNotEnabled') return 'Voice is disabled on this service. You can type instead.'
  return canResume
    ? 'Start again to continue the conversation.'
    : 'You can continue the conversation by typing.'
}
