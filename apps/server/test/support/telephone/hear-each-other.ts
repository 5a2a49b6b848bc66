import { expect } from 'vitest'
import { type Baresip, speech } from '../../../../../packages/telephone/test/support/programs/baresip.js'
import { encodeSpeech, findAudio } from '../../../../../packages/telephone/test/support/programs/wav.js'
import { patiently } from '../process/parley-process.js'
import type { ProviderSession } from '../realtime/scripted-provider.js'
import { heardBy } from './heard-by.js'
import { spoken } from './phone-service.js'

/** Waits until the model and baresip have heard the words of each other. Hangs up, and waits until `ended`. */
export async function hearEachOther(
  baresip: Baresip,
  model: ProviderSession,
  ended: () => Promise<unknown>,
): Promise<void> {
  model.send(spoken('item_1', encodeSpeech(speech)))
  await expect.poll(() => heardBy(model).length, patiently).toBeGreaterThan(8000 * 5)
  expect(findAudio(speech, heardBy(model), 4000, 8000).correlation).toBeGreaterThan(0.99)
  baresip.command('hangup')
  await ended()
  expect(findAudio(speech, await baresip.heard(), 8000, 16_000).correlation).toBeGreaterThan(0.9)
}
