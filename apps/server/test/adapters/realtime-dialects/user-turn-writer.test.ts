import { describe, expect, test } from 'vitest'
import { ConversationItems } from '#server/adapters/realtime-dialects/conversation-items.js'
import { UserTurnWriter } from '#server/adapters/realtime-dialects/user-turn-writer.js'
import { collectEvents } from '../../support/realtime/dialects/emitted-events.js'

function makeWriter() {
  const events = collectEvents()
  const writer = new UserTurnWriter(events.emit, new ConversationItems(events.emit))
  return { writer, events }
}

const delta = 'conversation.item.input_audio_transcription.delta'
const completed = 'conversation.item.input_audio_transcription.completed'
const committing = [
  'input_audio_buffer.speech_stopped',
  'input_audio_buffer.committed',
  'conversation.item.added',
  'conversation.item.done',
]

describe('UserTurnWriter', () => {
  test('writes words only after the turn was committed', () => {
    const { writer, events } = makeWriter()
    writer.start(100)
    writer.addWords(' Hello')
    expect(events.takeTypes()).toEqual(['input_audio_buffer.speech_started'])
    writer.commit(900)
    expect(events.takeTypes()).toEqual([...committing, delta])
    writer.addWords(', you.')
    writer.finish()
    const [late, end] = events.take()
    expect(late).toMatchObject({ type: delta, delta: ', you.' })
    expect(end).toMatchObject({ type: completed, content_index: 0, transcript: 'Hello, you.' })
  })

  test('ends the transcript of a turn once, at the latest when the next one begins', () => {
    const { writer, events } = makeWriter()
    writer.start(0)
    writer.commit(1)
    writer.start(2)
    writer.commit(3)
    writer.finish()
    writer.finish()
    const ended = events.take().filter(({ type }) => type === completed)
    expect(new Set(ended.map(({ item_id }) => item_id)).size).toBe(2)
    expect(ended).toHaveLength(2)
  })

  test('reports speech that had no words with an empty transcript', () => {
    const { writer, events } = makeWriter()
    writer.start(0)
    writer.commit(1)
    writer.finish()
    expect(events.take().at(-1)).toMatchObject({ type: completed, transcript: '' })
  })
})
