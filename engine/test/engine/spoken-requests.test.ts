import { expect, test, vi } from 'vitest'
import { RealtimeClient } from '../support/realtime-client.js'
import { sharedEngine } from '../support/shared-engine.js'
import { allTools, sessionTool } from '../support/tools.js'
import { sendSound, speak } from '../support/voice.js'

vi.setConfig({ testTimeout: 60_000 })

/** Others are spoken to a whole service, and heard to their answers. */
const requests: readonly (readonly [words: string, tool: string, args: object])[] = [
  ['Cancel my order number forty two.', 'cancel_order', { order_id: '42' }],
  ['Send an email to John about the contract.', 'send_email', { to: 'John', subject: 'the contract' }],
  ['Remind me to water the plants.', 'create_task', { title: 'water the plants' }],
  ['Search the files for the contract.', 'search_files', { query: 'the contract' }],
  [
    'Create a high priority task to pay the bill.',
    'create_task',
    { title: 'pay the bill', priority: 'high' },
  ],
]

test('[ENG-9] spoken requests become the right calls', async () => {
  const client = await RealtimeClient.connect((await sharedEngine()).url)
  client.send({ type: 'session.update', session: { type: 'realtime', tools: allTools.map(sessionTool) } })
  const calls: unknown[] = []
  for (const [words] of requests) {
    sendSound(client, await speak(words))
    const { response } = await client.next('response.done')
    const [call] = response.output ?? []
    const isCall = call?.type === 'function_call'
    calls.push([words, isCall ? call.name : JSON.stringify(call), isCall ? JSON.parse(call.arguments) : null])
    if (isCall)
      client.send({
        type: 'conversation.item.create',
        item: { type: 'function_call_output', call_id: call.call_id ?? '', output: 'Done.' },
      })
  }
  expect(calls).toEqual(requests)
  await client.close()
})

test('people who speak at the same time are not mistaken for one another', async () => {
  const cities = ['London', 'Paris', 'Berlin']
  const sounds = await Promise.all(cities.map((city) => speak(`What is the weather in ${city}?`)))
  const { url } = await sharedEngine()
  const clients = await Promise.all(cities.map(() => RealtimeClient.connect(url)))
  for (const client of clients)
    client.send({ type: 'session.update', session: { type: 'realtime', tools: allTools.map(sessionTool) } })
  const chunks = Math.max(...sounds.map(({ length }) => length)) / 960
  for (let chunk = 0; chunk < chunks; chunk += 1)
    for (const [index, client] of clients.entries())
      sendSound(client, sounds[index]?.subarray(chunk * 960, (chunk + 1) * 960) ?? Buffer.alloc(0))
  const responses = await Promise.all(clients.map((client) => client.next('response.done')))
  expect(responses.map(({ response }) => response.output)).toMatchObject(
    cities.map((city) => [{ name: 'get_weather', arguments: JSON.stringify({ city }) }]),
  )
  await Promise.all(clients.map((client) => client.close()))
})
