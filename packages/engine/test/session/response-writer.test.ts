import { describe, expect, test } from 'vitest'
import type { ServerEventBody } from '#engine/protocol/server-event.js'
import { type ResponseEnd, ResponseWriter } from '#engine/session/response-writer.js'

function makeWriter(isInConversation = true) {
  const events: ServerEventBody[] = []
  const items: string[] = []
  const writer = new ResponseWriter(
    {
      id: 'resp',
      conversationId: isInConversation ? 'conv' : null,
      modality: 'audio',
      format: { type: 'audio/pcm', rate: 24_000 },
      voice: 'alloy',
      maxOutputTokens: 'inf',
      metadata: null,
    },
    (event) => events.push(event),
    {
      add: (item) => {
        items.push(item.id)
        return items.at(-2) ?? null
      },
      replace: () => undefined,
    },
  )
  return { writer, types: () => events.map(({ type }) => type), told: events }
}

const clip = { samples: new Int16Array(160), rate: 16_000 }

const opened = ['response.output_item.added', 'conversation.item.added', 'response.content_part.added']
const closed = [
  'response.output_audio.done',
  'response.output_audio_transcript.done',
  'response.content_part.done',
  'conversation.item.done',
  'response.output_item.done',
]
const sentence = ['response.output_audio_transcript.delta', 'response.output_audio.delta']
const call = [
  'response.output_item.added',
  'conversation.item.added',
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
  'conversation.item.done',
  'response.output_item.done',
]

describe('a response writer', () => {
  type Play = (writer: ResponseWriter) => void
  const say: Play = (writer) => {
    writer.say('Hello. ', clip)
    writer.sound(Buffer.alloc(4))
  }
  const rows: readonly (readonly [string, readonly Play[], readonly string[]])[] = [
    ['nothing', [], []],
    ['a sentence', [say], [...opened, ...sentence, ...closed]],
    ['two sentences', [say, say], [...opened, ...sentence, ...sentence, ...closed]],
    ['a call', [(writer) => writer.call('call', 'tool', '{}')], call],
    [
      'words and a call',
      [say, (writer) => writer.call('call', 'tool', '{}')],
      [...opened, ...sentence, ...closed, ...call],
    ],
    [
      'a call and words',
      [(writer) => writer.call('call', 'tool', '{}'), say],
      [...call, ...opened, ...sentence, ...closed],
    ],
  ]
  const ends: readonly ResponseEnd['status'][] = ['completed', 'cancelled', 'failed', 'incomplete']

  test.each(ends.flatMap((status) => rows.map((row) => [status, ...row] as const)))(
    'closes every opened item if the response is %s after %s',
    (status, _, plays, expected) => {
      const { writer, types, told: events } = makeWriter()
      writer.start()
      for (const play of plays) play(writer)
      writer.finish({ status })
      expect(types()).toEqual(['response.created', ...expected, 'response.done'])
      const done = events.at(-1)
      const statuses =
        done?.type === 'response.done'
          ? done.response.output?.map((item) => 'status' in item && item.status)
          : []
      const isCut = status !== 'completed' && plays.at(-1) === say
      expect(statuses?.at(-1) ?? 'completed').toBe(isCut ? 'incomplete' : 'completed')
    },
  )
})

test('sends no events after the end', () => {
  const { writer, types } = makeWriter()
  writer.start()
  writer.finish({ status: 'cancelled' })
  writer.say('Late.', clip)
  writer.sound(Buffer.alloc(4))
  writer.write('late')
  writer.call('call', 'tool', '{}')
  writer.finish({ status: 'completed' })
  expect(types()).toEqual(['response.created', 'response.done'])
})

test('a response outside the conversation adds no items to it', () => {
  const { writer, types } = makeWriter(false)
  writer.start()
  writer.write('Aside.')
  writer.finish({ status: 'completed' })
  expect(types().filter((type) => type.startsWith('conversation.'))).toEqual([])
})

test('each item names the previous item', () => {
  const { writer, told: events } = makeWriter()
  writer.start()
  writer.call('one', 'tool', '{}')
  writer.call('two', 'tool', '{}')
  writer.finish({ status: 'completed' })
  const added = events.flatMap((event) => (event.type === 'conversation.item.added' ? [event] : []))
  expect(added[0]?.previous_item_id).toBeNull()
  expect(added[1]?.previous_item_id).toBe(added[0]?.item.id)
  const places = events.flatMap((event) =>
    event.type === 'response.output_item.done' ? [event.output_index] : [],
  )
  expect(places).toEqual([0, 1])
})
