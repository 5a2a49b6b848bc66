/*
 * When speech begins and ends, from how likely speech is in each frame of 32 ms.
 *
 *   quiet ──speech for three frames──► speaking ──pause──► pausing ──silence long enough──► quiet
 *                                         ▲                   │
 *                                         └──────speech───────┘
 *
 * How much silence ends it depends on whether what was said so far sounds finished, where somebody judges that.
 */
export const frameMilliseconds = 32

const minSpeechFrames = 3
/** After so much silence it is worth transcribing what was said. */
const pauseMilliseconds = 192
/** Between speech and silence lies a band that counts as more of the same, so that speech does not flicker. */
const hysteresis = 0.15
/** Somebody's radio never pauses. */
const maxSpeechMilliseconds = 60_000

export interface EndOfSpeechRules {
  readonly threshold: number
  /** Silence that ends speech which sounds finished, or which nobody judges. */
  readonly silenceMilliseconds: number
  /** Silence that ends speech which does not sound finished. */
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
  /** Whoever judges sentences may do so now. */
  | { readonly type: 'paused'; readonly atMilliseconds: number }
  | { readonly type: 'resumed' }
  | { readonly type: 'stopped'; readonly atMilliseconds: number }

export interface SpeechStep {
  readonly state: SpeechState
  readonly event: SpeechEvent | null
}

export const quiet: SpeechState = { phase: 'quiet', speechFrames: 0 }

/** One frame further. `frame` counts from the beginning of the stream. */
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
 * Takes note that what was said sounds finished. It matters only while the pause lasts, and may end the speech at once
 * where the judge took longer than the silence. `frame` is the last one that was seen.
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
