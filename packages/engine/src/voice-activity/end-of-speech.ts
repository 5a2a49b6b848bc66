/*
 * Detects the start and end of speech from the speech probability of each 32 ms frame.
 *
 *   quiet ──speech for three frames──► speaking ──pause──► pausing ──silence long enough──► quiet
 *                                         ▲                   │
 *                                         └──────speech───────┘
 *
 * If a judge of sentences is available, the required silence depends on whether the words so far sound finished.
 */
export const frameMilliseconds = 32

const minSpeechFrames = 3
/** The silence after which an early transcript is worth making. */
const pauseMilliseconds = 192
/** Probabilities in the band between speech and silence keep the current state, so that it does not flicker. */
const hysteresis = 0.15
/** Limits the length of an utterance, because a radio in the background never pauses. */
const maxSpeechMilliseconds = 60_000

export interface EndOfSpeechRules {
  readonly threshold: number
  /** The silence that ends speech that sounds finished, or that is not judged. */
  readonly silenceMilliseconds: number
  /** The silence that ends speech that does not sound finished. */
  readonly unfinishedSilenceMilliseconds: number
}

export type SpeechState =
  | { readonly phase: 'quiet'; readonly speechFrames: number }
  | { readonly phase: 'speaking'; readonly startFrame: number }
  | {
      readonly phase: 'pausing'
      readonly startFrame: number
      readonly silentSince: number
      readonly hasPaused: boolean
      readonly isFinished: boolean
    }

export type SpeechEvent =
  | { readonly type: 'started'; readonly atMilliseconds: number }
  /** Emitted when the sentence may be judged. */
  | { readonly type: 'paused'; readonly atMilliseconds: number }
  | { readonly type: 'resumed' }
  | { readonly type: 'stopped'; readonly atMilliseconds: number }

export interface SpeechStep {
  readonly state: SpeechState
  readonly event: SpeechEvent | null
}

export const quiet: SpeechState = { phase: 'quiet', speechFrames: 0 }

/** Processes one frame. `frame` counts from the beginning of the stream. */
export function stepSpeech(
  state: SpeechState,
  probability: number,
  frame: number,
  rules: EndOfSpeechRules,
): SpeechStep {
  const isSpeech = probability >= rules.threshold
  const isSilence = probability < Math.max(0.01, rules.threshold - hysteresis)
  switch (state.phase) {
    case 'quiet':
      return stepQuiet(state.speechFrames, isSpeech, frame)
    case 'speaking':
      if (tooLong(state.startFrame, frame)) return stop(frame)
      if (!isSilence) return { state, event: null }
      return stepPausing(
        {
          phase: 'pausing',
          startFrame: state.startFrame,
          silentSince: frame,
          hasPaused: false,
          isFinished: false,
        },
        frame,
        rules,
      )
    case 'pausing':
      if (isSpeech)
        return {
          state: { phase: 'speaking', startFrame: state.startFrame },
          event: state.hasPaused ? { type: 'resumed' } : null,
        }
      return stepPausing(state, frame, rules)
  }
}

/**
 * Records that the words so far sound finished. It matters only during the pause. If the judge took longer than the
 * required silence, the speech ends immediately. `frame` is the last processed frame.
 */
export function judgeFinished(state: SpeechState, frame: number, rules: EndOfSpeechRules): SpeechStep {
  if (state.phase !== 'pausing') return { state, event: null }
  return stepPausing({ ...state, isFinished: true }, frame, rules)
}

function stepQuiet(speechFrames: number, isSpeech: boolean, frame: number): SpeechStep {
  if (!isSpeech) return { state: quiet, event: null }
  if (speechFrames + 1 < minSpeechFrames)
    return { state: { phase: 'quiet', speechFrames: speechFrames + 1 }, event: null }
  const startFrame = frame - speechFrames
  return {
    state: { phase: 'speaking', startFrame },
    event: { type: 'started', atMilliseconds: startFrame * frameMilliseconds },
  }
}

function stepPausing(
  state: Extract<SpeechState, { phase: 'pausing' }>,
  frame: number,
  rules: EndOfSpeechRules,
): SpeechStep {
  const silence = (frame + 1 - state.silentSince) * frameMilliseconds
  const needed = state.isFinished ? rules.silenceMilliseconds : rules.unfinishedSilenceMilliseconds
  if (silence >= needed || tooLong(state.startFrame, frame)) return stop(state.silentSince)
  const shouldPause = !state.hasPaused && silence >= Math.min(pauseMilliseconds, rules.silenceMilliseconds)
  if (!shouldPause) return { state, event: null }
  return {
    state: { ...state, hasPaused: true },
    event: { type: 'paused', atMilliseconds: state.silentSince * frameMilliseconds },
  }
}

function stop(silentSince: number): SpeechStep {
  return { state: quiet, event: { type: 'stopped', atMilliseconds: silentSince * frameMilliseconds } }
}

function tooLong(startFrame: number, frame: number): boolean {
  return (frame - startFrame) * frameMilliseconds >= maxSpeechMilliseconds
}
