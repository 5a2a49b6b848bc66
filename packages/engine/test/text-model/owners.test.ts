import { expect, test } from 'vitest'
import { makeOfflineModel } from '#engine/text-model/offline/offline-model.js'

const tool = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

test('[ENG-15] one question of an owner is not answered behind all those of another', async () => {
  const model = makeOfflineModel({ maxWaiting: 32 })
  const answered: string[] = []
  const ask = async (owner: string, city: string) => {
    const text = `Is it going to rain in ${city} today?`
    await model.step({ messages: [{ role: 'user', text }], tools: [tool], owner })
    answered.push(owner)
  }
  // The model is loaded, and the tool known, before anybody waits.
  await ask('first', 'Oslo')
  const many = Array.from({ length: 20 }, (_, index) => ask('many', `Town ${index}`))
  await Promise.all([...many, ask('one', 'Lima')])
  expect(answered.indexOf('one')).toBeLessThan(8)
  await model.close()
})
