import { expect, test } from 'vitest'
import { putIntoMicrophone } from '../../support/browser/browser.js'
import { serveDocumentedPage } from '../../support/browser/documented-page.js'
import { listenToPage, waitForSound } from '../../support/browser/heard-sound.js'
import { visit } from '../../support/browser/visit.js'
import { startRealtimeService } from '../../support/realtime/realtime-service.js'
import { responseCreated, responseDone } from '../../support/realtime/spoken-turns.js'
import { wireRate } from '../../support/speech/person.js'
import { silenceOf } from '../../support/speech/spoken-session.js'

const timeout = 60_000

const answerSeconds = 6
const chunkSamples = wireRate / 5

/** The samples of an answer that say how far it is: they rise from one end to the other, and none is silent. */
const rising = Int16Array.from(
  { length: answerSeconds * wireRate },
  (_, place) => 1000 + (31_000 * place) / (answerSeconds * wireRate),
)

/** How much of that answer was played when this was its last sample. */
const playedMs = (last: number) => ((last * 32_768 - 1000) / 31_000) * answerSeconds * 1000

const delta = (samples: Int16Array) => ({
  type: 'response.output_audio.delta',
  response_id: 'resp_1',
  item_id: 'item_1',
  output_index: 0,
  content_index: 0,
  delta: Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString('base64'),
})

test('[DOC-5] it falls silent when somebody breaks in, and says how much was heard', {
  timeout,
}, async () => {
  const running = await startRealtimeService()
  await putIntoMicrophone(silenceOf(30_000), wireRate)
  const { page, troubles } = await visit(await serveDocumentedPage(running, running.agentId), listenToPage)
  await page.getByRole('button', { name: 'Talk' }).click()
  const provider = await running.provider.accept()
  await provider.inbox.takeType('session.update')
  await provider.inbox.takeType('input_audio_buffer.append')

  provider.send(responseCreated('resp_1'))
  for (let start = 0; start < rising.length; start += chunkSamples)
    provider.send(delta(rising.subarray(start, start + chunkSamples)))
  provider.send(responseDone('resp_1'))
  await waitForSound(page, `last > ${rising[wireRate]} / 32768`)
  provider.send({ type: 'input_audio_buffer.speech_started', item_id: 'item_2', audio_start_ms: 0 })
  provider.send(delta(rising.subarray(0, chunkSamples)))

  const truncated = await provider.inbox.takeType('conversation.item.truncate')
  const sound = await waitForSound(page, 'nowSeconds > speechStartedSeconds + 0.3')
  expect(truncated).toMatchObject({ item_id: 'item_1', content_index: 0 })
  const silentAfterMs = (sound.lastSeconds - sound.speechStartedSeconds) * 1000
  const offMs = Number(truncated.audio_end_ms) - playedMs(sound.last)
  expect(silentAfterMs).toBeLessThan(50)
  expect(Math.abs(offMs)).toBeLessThan(30)
  expect(troubles).toEqual([])
})
