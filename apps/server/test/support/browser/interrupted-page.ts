import { startRealtimeService } from '../realtime/realtime-service.js'
import { responseCreated, responseDone } from '../realtime/spoken-turns.js'
import { wireRate } from '../speech/person.js'
import { silenceOf } from '../speech/spoken-session.js'
import { putIntoMicrophone } from './browser.js'
import { serveDocumentedPage } from './documented-page.js'
import { listenToPage, waitForSound } from './heard-sound.js'
import { visit } from './visit.js'

const answerSeconds = 6
const chunkSamples = wireRate / 5

/**
 * The samples of an answer rise from start to end and are never silent, so each sample tells its position.
 */
const rising = Int16Array.from(
  { length: answerSeconds * wireRate },
  (_, place) => 1000 + (31_000 * place) / (answerSeconds * wireRate),
)

/** The played duration, from the last played sample. */
const playedMs = (last: number) => ((last * 32_768 - 1000) / 31_000) * answerSeconds * 1000

const delta = (samples: Int16Array) => ({
  type: 'response.output_audio.delta',
  response_id: 'resp_1',
  item_id: 'item_1',
  output_index: 0,
  content_index: 0,
  delta: Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString('base64'),
})

export interface Interruption {
  /** The event with which the page reports how much of the answer was heard. */
  readonly truncated: Readonly<Record<string, unknown>>
  /** The difference between the reported and the played duration. */
  readonly offMs: number
  /** How long playback continued after the user began to speak, on the clock of the AudioContext. */
  readonly silentAfterMs: number
  readonly pageErrors: readonly string[]
}

/** Opens the page of examples/websocket, plays an answer of six seconds, and interrupts it after the first second. */
export async function interruptDocumentedPage(): Promise<Interruption> {
  const running = await startRealtimeService()
  await putIntoMicrophone(silenceOf(30_000), wireRate)
  const { page, pageErrors } = await visit(await serveDocumentedPage(running, running.agentId), listenToPage)
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
  const sound = await waitForSound(page, 'speechStartedSeconds > 0 && nowSeconds > lastSeconds + 0.3')
  return {
    truncated,
    offMs: Number(truncated.audio_end_ms) - playedMs(sound.last),
    silentAfterMs: (sound.lastSeconds - sound.speechStartedSeconds) * 1000,
    pageErrors,
  }
}
