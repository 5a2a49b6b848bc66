import type { DatabaseCondition } from './memory-database.js'

export type Side = 'client' | 'provider'

/** A client frame, and the error if the service rejects it. */
export const clientFrames = {
  audio: [Buffer.from('{"type":"input_audio_buffer.append","audio":"AAAA"}'), false, null],
  'long audio': [
    Buffer.from(`{"type":"input_audio_buffer.append","audio":"${'A'.repeat(400_000)}"}`),
    false,
    null,
  ],
  event: [Buffer.from(' {"event_id":"e","type":"response.cancel"}'), false, null],
  binary: [Buffer.of(0, 1, 2, 0x7b), true, null],
  configuration: [Buffer.from('{"type":"session.update"}'), false, 'session_update_not_allowed'],
  approval: [Buffer.from('{"type":"approval.approve","callId":"c"}'), true, 'approval_not_pending'],
  nonsense: [Buffer.from('{'), false, 'invalid_message'],
} as const

/** An audio frame that fills buffers. */
export const longAnswer = Buffer.from(
  `{"type":"response.output_audio.delta","delta":"${'A'.repeat(400_000)}"}`,
)

export type Command =
  | { readonly do: 'connect'; readonly how: 'connected' | 'unreachable' }
  | { readonly do: 'tell'; readonly turn: number; readonly times: number }
  | { readonly do: 'play'; readonly times: number }
  | { readonly do: 'send'; readonly frame: keyof typeof clientFrames; readonly times: number }
  | { readonly do: 'pass'; readonly milliseconds: number }
  | { readonly do: 'database'; readonly condition: DatabaseCondition }
  | { readonly do: 'stall'; readonly side: Side; readonly isStalled: boolean }
  | { readonly do: 'deafen'; readonly side: Side }
  | { readonly do: 'overdo'; readonly side: Side }
  | { readonly do: 'leave'; readonly side: Side; readonly code: 1000 | 1006 }
  | { readonly do: 'terminate' }
