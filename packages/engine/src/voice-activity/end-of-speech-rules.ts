import type { TurnDetection } from '../protocol/session-schema.js'
import type { EndOfSpeechRules } from './end-of-speech.js'

type Eagerness = Extract<TurnDetection, { type: 'semantic_vad' }>['eagerness']

/** How long to wait for a speaker who may continue, by the client's eagerness. */
const waits: Readonly<Record<Eagerness, { finished: number; unfinished: number }>> = {
  high: { finished: 256, unfinished: 2000 },
  auto: { finished: 384, unfinished: 4000 },
  medium: { finished: 384, unfinished: 4000 },
  low: { finished: 800, unfinished: 8000 },
}

export function endOfSpeechRules(detection: TurnDetection): EndOfSpeechRules {
  if (detection.type === 'server_vad')
    return {
      threshold: Math.max(0.01, detection.threshold),
      silenceMilliseconds: detection.silence_duration_ms,
      unfinishedSilenceMilliseconds: detection.silence_duration_ms,
    }
  const { finished, unfinished } = waits[detection.eagerness]
  return { threshold: 0.5, silenceMilliseconds: finished, unfinishedSilenceMilliseconds: unfinished }
}

/** How much audio before the detected start belongs to the utterance. */
export function prefixMilliseconds(detection: TurnDetection): number {
  return detection.type === 'server_vad' ? detection.prefix_padding_ms : 300
}
