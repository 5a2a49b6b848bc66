import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime'
import { describe, expect, test } from 'vitest'
import { startEngine } from '#engine/start-engine.js'
import type { ModelMessage, TextModel } from '#engine/text-model/text-model.js'
import { RealtimeClient, userText } from '../support/realtime-client.js'

/**
 * Connects to an engine whose model answers only after `release`. `read` returns the messages that the model
 * received.
 */
async function useHeldModel(onTestFinished: (close: () => Promise<void>) => void) {
  const read: (readonly ModelMessage[])[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const textModel: TextModel = {
    async respond({ messages, onText }) {
      read.push(messages)
      await released
      onText(`Answer ${read.length}.`)
      return { ok: true, calls: [], usage: null, isCutOff: false }
    },
  }
  const slowEngine = await startEngine({ port: 0, secret: null, textModel })
  onTestFinished(() => slowEngine.close())
  return { other: await RealtimeClient.connect(slowEngine.url), read, release }
}

describe('An answer', () => {
  const respond: RealtimeClientEvent = { type: 'response.create', response: { output_modalities: ['text'] } }

  test('is placed after the messages that it has read and before messages that arrived during the response [ENG-19]', async ({
    onTestFinished,
  }) => {
    const { other, read, release } = await useHeldModel(onTestFinished)
    other.send(respond)
    await other.next('response.created')
    other.send(userText('How many tickets are open?'))
    await other.next('conversation.item.done')
    release()
    await other.next('response.done')
    expect(other.events.filter(({ type }) => type === 'conversation.item.added')).toMatchObject([
      { item: { role: 'user' }, previous_item_id: null },
      { item: { role: 'assistant' }, previous_item_id: null },
    ])
    other.send(respond)
    await other.next('response.done')
    expect(read.at(1)).toMatchObject([
      { role: 'assistant', text: 'Answer 1.' },
      { role: 'user', text: 'How many tickets are open?' },
    ])
  })

  test('is kept if the message that it has read was deleted during the response [ENG-19]', async ({
    onTestFinished,
  }) => {
    const { other, read, release } = await useHeldModel(onTestFinished)
    other.send(userText('Hello.'))
    const { item } = await other.next('conversation.item.done')
    other.send(respond)
    await other.next('response.created')
    other.send({ type: 'conversation.item.delete', item_id: item.id ?? '' })
    await other.next('conversation.item.deleted')
    release()
    expect((await other.next('response.done')).response.status).toBe('completed')
    other.send(respond)
    await other.next('response.done')
    expect(read.at(1)).toMatchObject([{ role: 'assistant', text: 'Answer 1.' }])
  })
})
