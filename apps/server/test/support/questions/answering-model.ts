import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeAfterwards } from '../close-afterwards.js'
import { openaiEvents, type ScriptedStep } from '../scripted-chat-events.js'
import type { SentMessage } from './question-service.js'

export interface AnsweredRequest {
  readonly messages: readonly SentMessage[]
  readonly question: string
}

/** A model in OpenAI's format that answers every question, also many at once. */
export interface AnsweringModel {
  readonly baseUrl: string
  /** Every request so far, in the order of arrival. */
  readonly requests: readonly AnsweredRequest[]
  close(): Promise<void>
}

/** Streams these words one by one as its answer. */
export async function startAnsweringModel(
  wordsOf: (question: string) => readonly (string | Promise<unknown>)[],
): Promise<AnsweringModel> {
  const { close, ...model } = await listen((question) => ({ text: wordsOf(question) }))
  return { ...model, close: closeAfterwards(close) }
}

let polite: Promise<AnsweringModel> | undefined

/**
 * Answers every request, for tests in which the words do not matter. All test files of a worker share one,
 * because the built-in model takes longer to load than most tests.
 */
export function sharedAnsweringModel(): Promise<Pick<AnsweringModel, 'baseUrl'>> {
  polite ??= listen(() => ({ text: 'Certainly.', usage: null }))
  return polite
}

async function listen(stepFor: (question: string) => ScriptedStep): Promise<AnsweringModel> {
  const requests: AnsweredRequest[] = []
  const server = createServer(async (incoming, response) => {
    let body = ''
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk
    const { messages } = JSON.parse(body) as { messages: SentMessage[] }
    const question = String(messages.at(-1)?.content ?? '')
    requests.push({ messages, question })
    await stream(response, stepFor(question))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function stream(response: ServerResponse, step: ScriptedStep): Promise<void> {
  const { said, finish } = openaiEvents(step)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of [...said, ...finish]) {
    if (typeof event !== 'string') await event
    else await new Promise((sent) => response.write(event, sent))
  }
  response.end()
}
