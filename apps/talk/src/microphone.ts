import { setTimeout as wait } from 'node:timers/promises'
import { chunkMilliseconds, chunkSamples, type SpokenQuestion } from './wire-sound.js'

const silence = Buffer.alloc(chunkSamples * 2)
/** Silence before the first word, as with a real microphone. */
const leadInChunks = 300 / chunkMilliseconds

export interface MicrophoneOptions {
  readonly question: SpokenQuestion
  readonly send: (chunk: Buffer) => void
  readonly onSpeechEnd: () => void
  /** Ends the stream. Until then it sends silence after the speech, so that the service detects the end of speech. */
  readonly off: AbortSignal
}

/** Sends audio in real time. Each chunk has its own deadline, so timer drift does not add up. */
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
