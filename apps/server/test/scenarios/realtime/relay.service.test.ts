import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyCharacter } from '../../support/any-character.js'
import type { FrameInbox, ReceivedFrame } from '../../support/realtime/frame-inbox.js'
import { eventText, jsonText } from '../../support/realtime/json-text.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'

const maxMessageBytes = 65_536
const patiently = { timeout: 60_000, interval: 10 }
const seed = 20_260_101

const clientTypes = [
  'input_audio_buffer.append',
  'input_audio_buffer.commit',
  'input_audio_buffer.clear',
  'conversation.item.create',
  'conversation.item.truncate',
  'conversation.item.delete',
  'response.create',
  'response.cancel',
  'output_audio_buffer.clear',
]

/** Event types that the service reads, and types that it does not know. */
const providerTypes = [
  'rate_limits.updated',
  'response.output_audio.delta',
  'response.audio.delta',
  'response.output_audio_transcript.delta',
  'response.output_item.added',
  'response.content_part.added',
  'response.function_call_arguments.done',
  'conversation.item.added',
  'conversation.item.truncated',
  'input_audio_buffer.speech_started',
  'error',
]

const transcribed = 'conversation.item.input_audio_transcription.completed'

const text = (arbitrary: fc.Arbitrary<string>) =>
  arbitrary.map((json): ReceivedFrame => ({ data: Buffer.from(json), isBinary: false }))

/** Arbitrary bytes. Some of them start like JSON. */
const binary = fc
  .tuple(fc.constantFrom('', '', '{', ' {"', '[{'), fc.uint8Array({ maxLength: 64 }))
  .map(
    ([start, bytes]): ReceivedFrame => ({
      data: Buffer.from([...Buffer.from(start), ...bytes]),
      isBinary: true,
    }),
  )
  .filter(({ data }) => !isJson(data))

/** Frames at the sizes where the framing changes, and at the limit. */
const sized = fc
  .tuple(
    fc.constantFrom(125, 126, 127, 4096, 16_383, 65_535, maxMessageBytes),
    fc.constantFrom('a', 'é', '漢', '😀'),
  )
  .map(([size, character]): ReceivedFrame => {
    const [before, after] = ['{"audio":"', '","type":"input_audio_buffer.append"}']
    const room = size - before.length - after.length
    const filling = character.repeat(Math.floor(room / Buffer.byteLength(character)))
    const padding = 'x'.repeat(room - Buffer.byteLength(filling))
    return { data: Buffer.from(`${before}${filling}${padding}${after}`), isBinary: false }
  })

function isJson(data: Buffer): boolean {
  try {
    return typeof JSON.parse(data.toString()) === 'object'
  } catch {
    return false
  }
}

const realAudio = fc
  .uint8Array({ minLength: 960, maxLength: 960 })
  .map((bytes) => Buffer.from(bytes).toString('base64'))
  .map((audio) => JSON.stringify({ type: 'input_audio_buffer.append', audio }))

const fromClient = fc.oneof(
  { weight: 40, arbitrary: text(eventText(fc.constantFrom(...clientTypes))) },
  { weight: 20, arbitrary: text(eventText(fc.string())) },
  { weight: 20, arbitrary: binary },
  { weight: 4, arbitrary: text(realAudio) },
  { weight: 1, arbitrary: sized },
)

const fromProvider = fc.oneof(
  { weight: 40, arbitrary: text(eventText(fc.constantFrom(...providerTypes))) },
  { weight: 20, arbitrary: text(jsonText) },
  { weight: 10, arbitrary: text(fc.string({ unit: anyCharacter })) },
  { weight: 20, arbitrary: binary },
  { weight: 1, arbitrary: sized },
)

const generate = (arbitrary: fc.Arbitrary<ReceivedFrame>, numRuns: number) =>
  fc.sample(arbitrary, { numRuns, seed })

interface Sender {
  readonly socket: { send(data: Buffer, options: { binary: boolean }): void }
}

function sendAll({ socket }: Sender, frames: readonly ReceivedFrame[]): void {
  for (const { data, isBinary } of frames) socket.send(data, { binary: isBinary })
}

/** Compares bytes, kinds and order. On failure it shows the first frame that differs. */
async function expectFrames(inbox: FrameInbox, from: number, expected: readonly ReceivedFrame[]) {
  await expect.poll(() => inbox.all.length - from, patiently).toBe(expected.length)
  const received = inbox.all.slice(from)
  const differs = expected.findIndex(
    ({ data, isBinary }, index) =>
      received[index]?.isBinary !== isBinary || !received[index]?.data.equals(data),
  )
  expect({ at: differs, frame: received[differs] }).toEqual({ at: -1, frame: undefined })
}

let running: RealtimeTestService

beforeAll(async () => {
  running = await startRealtimeService()
})

afterAll(() => running.close())

describe('the relay', () => {
  test('passes 4000 frames each way at the same time, byte for byte and in order [4.4-3] [6.1-1]', async () => {
    const { client, provider } = await running.openSession()
    provider.send({ type: 'session.updated' })
    await client.inbox.takeType('session.updated')
    const spoken = generate(fromClient, 4000)
    const answered = generate(fromProvider, 4000)
    sendAll(client, spoken)
    sendAll(provider, answered)
    await expectFrames(provider.inbox, 1, spoken)
    await expectFrames(client.inbox, 1, answered)
    client.socket.close()
    await client.inbox.closed
  })

  test.each([
    ['in the usual order', `{"type":"${transcribed}","item_id":"item_1","transcript":"Hello"}`],
    ['with its type last', ` {"transcript":"Hello", "item_id":"item_1","type":"${transcribed}" }`],
    [
      'with an escaped type',
      `{"type":"${transcribed.replace('c', '\\u0063')}","item_id":"item_1","transcript":"Hello"}`,
    ],
  ])("forwards an event unchanged before the service's own event about it: %s [6.1-1]", async (_, event) => {
    const { client, provider } = await running.openSession()
    provider.send(event)
    provider.send(event)
    expect((await client.inbox.take()).data.toString()).toBe(event)
    await client.inbox.takeType('message.created')
    client.socket.close()
    await client.inbox.closed
    expect(client.inbox.all.map(({ data }) => data.toString()).filter((text) => text === event)).toHaveLength(
      2,
    )
  })
})
