import type { PhoneCallSetup } from '../../ports/phone-stores.js'

/** How a call ends that a voicemail has answered. */
export const voicemailEnd = { reason: 'hung_up', detail: 'A voicemail answered.' } as const

/** Returns whether the call ends when a voicemail answers. The provider detects voicemail only then. */
export function hangsUpOnVoicemail(setup: PhoneCallSetup & { readonly voicemail?: string | null }): boolean {
  return setup.voicemail === 'hang_up'
}
