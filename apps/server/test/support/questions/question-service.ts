import { type QuestionAnswer, TurnEvent } from '@parley/contract'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { openSocket } from '../realtime/open-socket.js'
import type { OpenSession } from '../realtime/realtime-service.js'
import { type ScriptedProvider, startScriptedProvider } from '../realtime/scripted-provider.js'
import { patiently } from '../realtime/spoken-turns.js'
import { makeTextAgent } from '../realtime/text-agents.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../scripted-chat-server.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../scripted-http-server.js'
import { type RunningService, startService, type TestServiceOptions } from '../start-service.js'
import type { EventStream } from './event-stream.js'
import { joinModels, type ModelAddress } from './model-address.js'

/**
 * The service with everything that its agents reach: a model for both channels and the endpoint of their
 * tools.
 */
export interface QuestionService {
  readonly running: RunningService
  readonly model: ScriptedChatServer
  readonly voice: ScriptedProvider
  readonly tools: ScriptedHttpServer
  /** An agent that can be asked by text and by voice. */
  makeAgent(agent?: object): Promise<string>
  /** A configured session whose two ends the test controls. */
  speakTo(agentId: string, request?: object): Promise<OpenSession>
  /** The two steps of `open`. */
  createTicket(agentId: string, request?: object): Promise<OpenSession['ticket']>
  openSession(ticket: OpenSession['ticket']): Promise<OpenSession>
}

/**
 * Starts the service before the tests of a file and stops it after them. After each test it checks that
 * exactly the expected calls happened.
 */
export function useQuestionService(optionsOf: () => TestServiceOptions = () => ({})): QuestionService {
  let running: RunningService
  let model: ScriptedChatServer
  let voice: ScriptedProvider
  let tools: ScriptedHttpServer
  let address: ModelAddress

  beforeAll(async () => {
    const { env, ...options } = optionsOf()
    model = await startScriptedChatServer()
    voice = await startScriptedProvider()
    tools = await startScriptedHttpServer()
    address = await joinModels(model, voice)
    running = await startService({ ...options, env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1', ...env } })
  })

  afterEach(() => {
    model.verify()
    tools.verify()
  })

  afterAll(async () => {
    await running.close()
    for (const server of [model, voice, tools, address]) await server.close()
  })

  return {
    get running() {
      return running
    },
    get model() {
      return model
    },
    get voice() {
      return voice
    },
    get tools() {
      return tools
    },
    makeAgent: (agent = {}) => makeTextAgent(running, address, { name: 'Helper', ...agent }),
    async speakTo(agentId, request = {}) {
      return this.openSession(await this.createTicket(agentId, request))
    },
    async createTicket(agentId, request = {}) {
      const path = `/api/v1/Agent/${agentId}/realtime-session`
      const ticket = await running.client.call<OpenSession['ticket']>('POST', path, { body: request })
      if (ticket.status !== 201) throw new Error(ticket.text)
      return ticket.body
    },
    async openSession(ticket) {
      const client = await openSocket(running.url, ticket.webSocketPath)
      const provider = await voice.accept()
      await provider.inbox.takeType('session.update')
      return { ticket, client, provider }
    },
  }
}

/** Returns the events of a turn so far, each checked against the contract. */
export function eventsIn({ received }: Pick<EventStream, 'received'>): TurnEvent[] {
  return received.map(({ event }) => TurnEvent.parse(event))
}

/** Returns the types of the events without the deltas of the answer. */
export function typesIn(stream: Pick<EventStream, 'received'>): string[] {
  return eventsIn(stream)
    .map(({ type }) => type)
    .filter((type) => type !== 'response.text.delta')
}

type Turn = Pick<QuestionAnswer, 'conversationId' | 'turnId'>

export async function turnOf(
  { client }: Pick<RunningService, 'client'>,
  { conversationId, turnId }: Turn,
): Promise<QuestionAnswer> {
  const path = `/api/v1/Conversation/${conversationId}/turn/${turnId}`
  const { status, body, text } = await client.call<QuestionAnswer>('GET', path)
  expect(status, text).toBe(200)
  return body
}

/** Returns the turn once it has ended. */
export async function endedTurn(
  service: Pick<RunningService, 'client'>,
  turn: Turn,
  options = patiently,
): Promise<QuestionAnswer> {
  const status = async () => (await turnOf(service, turn)).status
  await expect.poll(status, options).toMatch(/completed|failed|stopped/)
  return turnOf(service, turn)
}

export interface SentMessage {
  readonly role: string
  readonly content: string | null | readonly Record<string, unknown>[]
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

/** Returns the messages of the model's latest request, or of the request with this index. */
export function messagesSentTo({ requests }: ScriptedChatServer, index = -1): readonly SentMessage[] {
  return (requests.at(index)?.body.messages ?? []) as readonly SentMessage[]
}
