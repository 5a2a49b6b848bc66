import { setTimeout as wait } from 'node:timers/promises'
import { chunkMilliseconds, chunkSamples, type SpokenQuestion } from './wire-sound.js'

const silence = Buffer.alloc(chunkSamples * 2)
/** A moment of quiet before the first word, as with every real microphone. */
const leadInChunks = 300 / chunkMilliseconds

export interface MicrophoneOptions {
  readonly question: SpokenQuestion
  readonly send: (chunk: Buffer) => void
  readonly onSpeechEnd: () => void
  /** Ends it; until then silence follows the words, so that the other side can tell that they are over. */
  readonly off: AbortSignal
}

/** Sends sound in real time: each chunk at its own moment, whatever the timers make of it. */
export async function runMicrophone({ question, send, onSpeechEnd, off }: MicrophoneOptions): Promise<void> {
  const chunks = [...Array.from({ length: leadInChunks }, () => silence), ...question.chunks]
  const speechEnd = leadInChunks + question.spokenChunks
  const startedAt = performance.now()
  for (let index = 0; !off.aborted; index += 1) {
    const dueInMilliseconds = startedAt + index * chunkMilliseconds - performance.now()
    if (dueInMilliseconds > 0) await wait(dueInMilliseconds)
    if (off.aborted) return
    if (index === speechEnd) onSpeechEnd()
    send(chunks[index] ?? silence)
  }
}
