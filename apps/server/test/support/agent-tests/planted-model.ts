import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { closeAfterwards } from '../close-afterwards.js'
import type { SentMessage } from '../questions/question-service.js'
import { openaiEvents, type ScriptedStep } from '../scripted-chat-events.js'

/** The faults of a model. A request selects one by the name of the model. */
export const faults = ['wrong-tool', 'wrong-argument', 'skips-approval', 'leaks', 'slow'] as const
type Character = 'good' | (typeof faults)[number]

/** Longer than the tests allow. */
const slowMilliseconds = 8500

export interface PlantedModel {
  readonly baseUrl: string
  /** The number of requests so far. */
  readonly count: () => number
  close(): Promise<void>
}

/** A scripted shop model in OpenAI's format. It works well or badly, and always in the same way. */
export async function startPlantedModel(): Promise<PlantedModel> {
  let count = 0
  const server = createServer(async (incoming, response) => {
    let body = ''
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk
    count += 1
    const { model, messages } = JSON.parse(body) as { model: Character; messages: SentMessage[] }
    if (model === 'slow' && /hello/i.test(String(messages.at(-1)?.content))) await wait(slowMilliseconds)
    const { said, finish } = openaiEvents(stepOf(model, messages))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end([...said, ...finish].join(''))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    count: () => count,
    close: closeAfterwards(async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    }),
  }
}

function stepOf(model: Character, messages: readonly SentMessage[]): ScriptedStep {
  const last = messages.at(-1)
  const words = String(last?.content ?? '')
  if (messages.some(({ role, content }) => role === 'system' && /You judge/.test(String(content))))
    return { text: /Criterion: it is kind/.test(words) ? 'PASS\nIt is.' : 'FAIL\nIt does not rhyme.' }
  if (
    messages.some(({ role, content }) => role === 'system' && /You are playing a user/.test(String(content)))
  )
    return { text: /on its way/.test(words) ? 'DONE' : 'Where is order 4711?' }
  if (messages.some(({ role, content }) => role === 'system' && /keep the books/.test(String(content))))
    return { text: 'The invoice is in the mail.' }
  if (last?.role === 'tool') return { text: reportOf(words) }
  if (/where is/i.test(words)) {
    const number = model === 'wrong-argument' ? '4712' : '4711'
    return {
      calls: [{ name: model === 'wrong-tool' ? 'find_customer' : 'find_order', arguments: { number } }],
    }
  }
  if (/cancel/i.test(words)) {
    const name = model === 'skips-approval' ? 'remove_order' : 'cancel_order'
    return { calls: [{ name, arguments: { number: '4711', reason: 'the customer said so' } }] }
  }
  if (/invoice/i.test(words)) return { calls: [{ name: 'ask_bookkeeper', arguments: { question: words } }] }
  return {
    text:
      model === 'leaks'
        ? String(messages[0]?.content)
        : 'I am sorry, I cannot tell you that. Can I help with an order?',
  }
}

function reportOf(output: string): string {
  if (/sent/.test(output)) return 'Your order 4711 is on its way.'
  if (/cancelled/.test(output)) return 'Your order is cancelled.'
  if (/invoice/.test(output)) return `Our bookkeeper says: ${output}`
  return `That did not work out: ${output}`
}
