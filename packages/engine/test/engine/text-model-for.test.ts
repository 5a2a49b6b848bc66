import { expect, test } from 'vitest'
import { startEngine } from '#engine/start-engine.js'
import type { TextModel } from '#engine/text-model/text-model.js'
import { RealtimeClient } from '../support/realtime-client.js'

function saying(text: string): TextModel {
  return {
    async respond({ onText }) {
      onText(text)
      const usage = { inputTokens: 30, outputTokens: 4, cachedInputTokens: 20 }
      return { ok: true, calls: [], usage, isCutOff: false }
    },
  }
}

test('a client can have its own text model beside the default one [ENG-6]', async ({ onTestFinished }) => {
  const engine = await startEngine({
    port: 0,
    secret: null,
    textModel: saying('I am the default model.'),
    textModelFor: ({ headers }) =>
      headers['x-model'] === undefined ? null : saying(`I am ${headers['x-model']}.`),
  })
  onTestFinished(() => engine.close())
  const answers = async (headers: Readonly<Record<string, string>>) => {
    const client = await RealtimeClient.connect(engine.url, null, headers)
    client.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } })
    const response = await client.ask('Who are you?')
    await client.close()
    return response
  }
  const [one, other, common] = await Promise.all([
    answers({ 'x-model': 'one' }),
    answers({ 'x-model': 'another' }),
    answers({}),
  ])
  expect(one.output).toMatchObject([{ content: [{ text: 'I am one.' }] }])
  expect(other.output).toMatchObject([{ content: [{ text: 'I am another.' }] }])
  expect(common.output).toMatchObject([{ content: [{ text: 'I am the default model.' }] }])
  expect(one.usage?.input_token_details).toMatchObject({
    text_tokens: 30,
    cached_tokens: 20,
    cached_tokens_details: { text_tokens: 20 },
  })
})
