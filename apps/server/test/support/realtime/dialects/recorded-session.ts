import { CallReader } from '#server/domain/realtime/calls/call-reader.js'
import type { TranscriptSegment } from '#server/domain/realtime/transcript/transcript.js'
import { UsageTotal } from '#server/domain/realtime/usage.js'
import type { ProviderOpening } from '#server/ports/realtime-provider.js'
import { decodeEvent, type WireEvent } from '../decode-event.js'
import { makeTranscript } from '../observed-transcript.js'
import { DialectRun, type MadeDialect, type PlayedProvider } from './dialect-run.js'

type Fields = Readonly<Record<string, unknown>>

/** One message of a recorded session, in the order of the recording. */
export interface RecordedMessage {
  /** `sent` by the client of the provider. */
  readonly direction: 'sent' | 'received'
  readonly data: Fields
}

/** Plays the provider's side of a recording, and keeps the messages of ours. */
export class RecordedProvider implements PlayedProvider {
  readonly sent: Fields[] = []
  readonly send: (message: object) => void

  constructor({ send }: { readonly send: (message: object) => void }) {
    this.send = send
  }

  receive(message: Fields): void {
    this.sent.push(message)
  }

  lose(): void {}
}

/** The result of a session as the service stores it. */
export interface ReadSession {
  readonly words: readonly string[]
  readonly calls: readonly string[]
  readonly usage: { readonly input: number; readonly output: number; readonly total: number }
  /** The messages that our side has sent. */
  readonly sent: readonly Fields[]
  readonly problems: readonly string[]
}

/**
 * Replays a recording through a dialect and the service's readers. `act` does what the recorded client did, in OpenAI's
 * events. It returns nothing if our side sends the message without being asked.
 */
export async function replay(
  recording: readonly RecordedMessage[],
  parts: MadeDialect & { readonly opening: ProviderOpening },
  act: (message: Fields, events: DialectRun<RecordedProvider>['events']) => readonly object[],
): Promise<ReadSession> {
  const run = new DialectRun({ ...parts, play: (peer) => new RecordedProvider(peer) })
  const opening = run.open()
  await run.settle()
  for (const { direction, data } of recording) {
    if (direction === 'received') run.provider.send(data)
    else for (const event of act(data, run.events)) run.send(event)
    await run.settle()
  }
  await opening
  await run.finish()
  const replayedIds = parts.opening.items.map((event) => String((event as { item: Fields }).item.id))
  return {
    ...readEvents(run.events, replayedIds),
    sent: run.providers.flatMap(({ sent }) => sent),
    problems: run.problems,
  }
}

function readEvents(
  events: readonly WireEvent[],
  replayedIds: readonly string[],
): Pick<ReadSession, 'words' | 'calls' | 'usage'> {
  const transcript = makeTranscript(replayedIds)
  const reader = new CallReader()
  const total = new UsageTotal()
  const segments: TranscriptSegment[] = []
  const calls = new Map<string, string>()
  for (const event of events.map(decodeEvent)) {
    if (event === null) continue
    for (const effect of transcript.observe(event))
      if (effect.effect === 'store') segments.push(effect.segment)
    for (const { callId, name, argumentsText, progress } of reader.read(event))
      if (progress === 'complete') calls.set(callId, `${name} ${argumentsText}`)
    if (event.type === 'response.done') total.addResponse(event.usage)
  }
  const inOrder = segments.toSorted((one, other) => one.position.counter - other.position.counter)
  const words = inOrder.map(({ role, content }) => `${role}: ${content}`)
  const { inputTokens: input, outputTokens: output, totalTokens } = total.value
  return { words, calls: [...calls.values()], usage: { input, output, total: totalTokens } }
}
