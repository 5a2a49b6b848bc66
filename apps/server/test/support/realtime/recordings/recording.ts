import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { type ClientStep, clientSteps, type Fields, openCallNames, startedHistory } from './client-steps.js'

/** The length of a frame of GPT-Live. */
export const liveFrameMilliseconds = 100

/** A step of a recorded session with a provider, in the order of the recording. */
export type RecordedStep =
  | ClientStep
  /** The provider sends a message. */
  | { readonly step: 'receive'; readonly message: Fields }
  /** The connection ends. The recorded client opens another one. */
  | { readonly step: 'close'; readonly code: number; readonly reason: string }

export interface Recording {
  /** The model. Empty if the address has named it, which is not in the recording. */
  readonly model: string
  /** Whether it is a session of GPT-Live, whose sound comes in real time. */
  readonly isLive: boolean
  /** Texts of earlier turns, which the recorded client has sent first. The user has said the first one. */
  readonly history: readonly string[]
  readonly steps: readonly RecordedStep[]
}

interface Interaction {
  readonly kind?: string
  readonly direction?: 'sent' | 'received'
  readonly data?: Fields
  readonly code?: number
  readonly reason?: string
}

/** Reads the recording of a WebSocket. Returns null if the file has something else, such as HTTP requests. */
export async function readRecording(path: string): Promise<Recording | null> {
  const file = parse(await readFile(path, 'utf8')) as { readonly interactions?: readonly Interaction[] }
  const interactions = file.interactions ?? []
  if (!interactions.some(({ kind }) => kind === 'message')) return null
  const names = new Map<unknown, string>()
  const all: RecordedStep[] = []
  let model = ''
  let started: readonly string[] = []
  for (const { kind, direction, data = {}, code = 1006, reason = '' } of interactions) {
    if (kind === 'close') all.push({ step: 'close', code, reason })
    else if (direction === 'received') {
      for (const [id, name] of openCallNames(data)) names.set(id, name)
      all.push({ step: 'receive', message: data })
    } else {
      model ||= modelOf(data)
      if (started.length === 0) started = startedHistory(data)
      all.push(...clientSteps(data, names))
    }
  }
  const kept = withoutRepeats(all)
  const isSpoken = kept.some(({ step }) => step === 'commit')
  // A text without a request after it belongs to the history, except beside speech that the client commits.
  const isHistory = (step: RecordedStep, index: number) =>
    step.step === 'type' && !isSpoken && kept[index + 1]?.step !== 'request'
  const typed = kept.filter(isHistory).map((step) => (step.step === 'type' ? step.text : ''))
  const steps = kept.filter((step, index) => !isHistory(step, index))
  const history = [...started, ...typed]
  const isLive = model.startsWith('gpt-live')
  return { model, isLive, history, steps: isLive ? steps.map(asToday) : steps }
}

/** Drops what a recorded client has sent again after a lost connection. The service sends the history itself. */
function withoutRepeats(steps: readonly RecordedStep[]): readonly RecordedStep[] {
  let isRepeating = false
  return steps.filter(({ step }, index) => {
    if (step === 'close') isRepeating = true
    else if (steps[index + 1]?.step === 'request') isRepeating = false
    return !isRepeating || (step !== 'type' && step !== 'output')
  })
}

function modelOf({ type, setup, session }: Fields): string {
  const { model = '' } = ((type === 'session.start' ? session : setup) ?? {}) as { readonly model?: string }
  return model.replace(/^models\//, '')
}

/** Moves the end of a session of GPT-Live into the future, and completes its sound. */
function asToday(step: RecordedStep): RecordedStep {
  if (step.step === 'append') return { ...step, audio: wholeFrame(step.audio) }
  if (step.step !== 'receive') return step
  const { message } = step
  if (message.type === 'session.output_audio.delta')
    return { ...step, message: { ...message, delta: wholeFrame(String(message.delta)) } }
  if (message.type !== 'session.started') return step
  const expires_at = Math.ceil(Date.now() / 1000) + 7200
  return { ...step, message: { ...message, session: { ...(message.session as Fields), expires_at } } }
}

/** Recordings have only the first samples of a frame. Repeats them, so that its loudness and length are nearly as before. */
function wholeFrame(base64: string): string {
  const samples = Buffer.from(base64, 'base64')
  const wholeSamples = samples.subarray(0, samples.length - (samples.length % 2))
  return Buffer.alloc(liveFrameMilliseconds * 48, wholeSamples).toString('base64')
}
