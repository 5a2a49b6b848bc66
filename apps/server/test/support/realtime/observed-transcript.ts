import { Transcript, type TranscriptEffect } from '#server/domain/realtime/transcript/transcript.js'
import { observeWire, type WireEvent } from './decode-event.js'

export function makeTranscript(replayed: readonly string[] = []): Transcript {
  let counter = 0
  return new Transcript(() => {
    counter += 1
    return { microseconds: 0, counter }
  }, replayed)
}

/** An effect in short form: the announcement, the stored words, and the marks. */
function inWords(effect: TranscriptEffect): string {
  if (effect.effect === 'interrupt') return `cut ${effect.itemId}`
  const { itemId, content, interrupted, failure } = effect.segment
  const flaws = [...(interrupted ? ['cut'] : []), ...(failure === null ? [] : ['failed'])]
  return [effect.announce ?? 'silent', itemId, content || '-', ...flaws].join(' ')
}

/** Effects in short form. */
export const effectsOf = (effects: readonly TranscriptEffect[]) => effects.map(inWords).join(', ')

/** Passes provider events to a transcript. */
export const observe = (transcript: Transcript, events: readonly WireEvent[]) =>
  events.flatMap((event) => observeWire((decoded) => transcript.observe(decoded), event))

export const observeAll = (transcript: Transcript, events: readonly WireEvent[]) =>
  effectsOf(observe(transcript, events))
