import { z } from 'zod'

/*
 * One spoken turn, from the user's words to the end of the answer, derived from the provider's events.
 *
 *   pending ──response──► responding ──done, no calls──► answered
 *      ▲                      └──done with calls──► every call is given its output ──┐
 *      └──────────────────────────────── a response is owed ◄────────────────────────┘
 */
export interface VoiceTurn {
  readonly result: 'pending' | 'answered' | 'failed'
  readonly failure: string | null
  readonly isResponding: boolean
  /** Calls of the model that have no output yet. */
  readonly openCalls: ReadonlySet<string>
  readonly answeredCalls: ReadonlySet<string>
  /** Whether an output was added that no response has read yet. */
  readonly isResponseOwed: boolean
}

export const newVoiceTurn: VoiceTurn = {
  result: 'pending',
  failure: null,
  isResponding: false,
  openCalls: new Set(),
  answeredCalls: new Set(),
  isResponseOwed: false,
}

const Item = z.looseObject({ type: z.string().optional(), call_id: z.string().nullish() })

const ResponseDone = z.looseObject({
  response: z.looseObject({
    status: z.string().default('completed'),
    status_details: z
      .looseObject({
        reason: z.string().nullish(),
        error: z.looseObject({ message: z.string().nullish() }).nullish(),
      })
      .nullish(),
    output: z.array(Item).default([]),
  }),
})

const ItemEvent = z.looseObject({ item: Item })

/** Returns whether the answer is complete and nothing is under way. */
export function isAnswered(turn: VoiceTurn): boolean {
  return turn.result !== 'pending' && !turn.isResponding && !turn.isResponseOwed && turn.openCalls.size === 0
}

/** Returns whether only these calls are left, and they wait for a person. */
export function isHeldUp(turn: VoiceTurn, waiting: ReadonlySet<string>): boolean {
  return !turn.isResponding && !turn.isResponseOwed && [...turn.openCalls].every((call) => waiting.has(call))
}

export function stepVoiceTurn(turn: VoiceTurn, event: Readonly<Record<string, unknown>>): VoiceTurn {
  switch (event.type) {
    case 'input_audio_buffer.speech_started':
      return { ...turn, result: 'pending' }
    case 'response.created':
      return { ...turn, result: 'pending', isResponding: true, isResponseOwed: false }
    case 'response.done':
      return stepResponseDone(turn, ResponseDone.safeParse(event).data?.response)
    case 'conversation.item.added':
    case 'conversation.item.created': {
      const item = ItemEvent.safeParse(event).data?.item
      return item?.type === 'function_call_output' && item.call_id ? answerCall(turn, item.call_id) : turn
    }
    default:
      return turn
  }
}

type Response = z.output<typeof ResponseDone>['response']

function stepResponseDone(turn: VoiceTurn, response: Response | undefined): VoiceTurn {
  if (response === undefined) return { ...turn, isResponding: false }
  const calls = response.output.flatMap((item) =>
    item.type === 'function_call' && item.call_id ? [item.call_id] : [],
  )
  const unanswered = calls.filter((call) => !turn.answeredCalls.has(call))
  return {
    ...turn,
    isResponding: false,
    openCalls: new Set([...turn.openCalls, ...unanswered]),
    ...(calls.length > 0 ? { result: 'pending' } : resultOf(response)),
  }
}

function resultOf({ status, status_details }: Response): Pick<VoiceTurn, 'result' | 'failure'> {
  if (status === 'failed')
    return { result: 'failed', failure: status_details?.error?.message ?? 'The response failed.' }
  // The user went on speaking, so the answer to the whole line is still to come.
  const isCutOff = status === 'cancelled' && status_details?.reason === 'turn_detected'
  return { result: isCutOff ? 'pending' : 'answered', failure: null }
}

function answerCall(turn: VoiceTurn, call: string): VoiceTurn {
  return {
    ...turn,
    openCalls: new Set([...turn.openCalls].filter((other) => other !== call)),
    answeredCalls: new Set([...turn.answeredCalls, call]),
    isResponseOwed: true,
  }
}

const samplesPerMillisecond = 24

interface PlayedPiece {
  readonly itemId: string
  readonly contentIndex: number
  readonly startsAt: number
  readonly milliseconds: number
}

/** The part of an answer that was heard before it was cut. */
export interface PlayedPart {
  readonly itemId: string
  readonly contentIndex: number
  readonly milliseconds: number
}

/**
 * Simulates a loudspeaker: audio arrives faster than it is played, and only the played part counts as heard.
 */
export class AnswerPlayback {
  #pieces: PlayedPiece[] = []
  #endsAt = 0

  take(
    {
      itemId,
      contentIndex,
      samples,
    }: { readonly itemId: string; readonly contentIndex: number; readonly samples: Int16Array },
    now: number,
  ): void {
    const startsAt = Math.max(now, this.#endsAt)
    const milliseconds = samples.length / samplesPerMillisecond
    this.#pieces.push({ itemId, contentIndex, startsAt, milliseconds })
    this.#endsAt = startsAt + milliseconds
  }

  isPlaying(now: number): boolean {
    return this.#endsAt > now
  }

  /** Stops the playback. Returns how much of the current item was heard, or null if nothing was playing. */
  cut(now: number): PlayedPart | null {
    const playing = this.#pieces.find(({ startsAt, milliseconds }) => startsAt + milliseconds > now)
    const heard = this.#pieces
      .filter(({ itemId }) => itemId === playing?.itemId)
      .reduce(
        (sum, { startsAt, milliseconds }) => sum + Math.max(0, Math.min(milliseconds, now - startsAt)),
        0,
      )
    this.clear()
    if (playing === undefined) return null
    const { itemId, contentIndex } = playing
    return { itemId, contentIndex, milliseconds: Math.floor(heard) }
  }

  /** Drops the rest of the audio and counts it as heard, so that the test does not wait for it. */
  clear(): void {
    this.#pieces = []
    this.#endsAt = 0
  }
}
