import type { Agent, Connection, RealtimeSessionTicket } from '@parley/contract'
import { type AudioClip, samplesFromBytes } from '@parley/engine'
import { expect } from 'vitest'
import { openSocket, type RealtimeClient } from '../realtime/open-socket.js'
import type { ChatRequest, ScriptedChatServer } from '../scripted-chat-server.js'
import type { RunningService } from '../start-service.js'
import { wireRate } from './person.js'

export const chatKinds = ['openai-compatible', 'anthropic'] as const
export type ChatKind = (typeof chatKinds)[number]

/** A key that only the chat server may receive. */
export const chatKey = 'sk-of-the-text-model'

type Event = Record<string, unknown>

export interface SpokenAgent {
  readonly agentId: string
  readonly chatConnectionId: string
  readonly engineConnectionId: string
}

async function create<Resource>(
  { client }: RunningService,
  type: string,
  body: object,
): Promise<Resource & { id: string }> {
  const answer = await client.call<Resource & { id: string }>('POST', `/api/v1/${type}`, { body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

/** Creates an agent whose embedded engine uses a scripted text model. */
export async function makeSpokenAgent(
  running: RunningService,
  chat: ScriptedChatServer,
  kind: ChatKind,
  fields: { readonly agent?: object; readonly chat?: object } = {},
): Promise<SpokenAgent> {
  const connection = await create<Connection>(running, 'Connection', {
    name: 'Text',
    kind,
    baseUrl: chat.baseUrl,
    apiKey: chatKey,
    models: { chat: 'a-text-model' },
    ...fields.chat,
  })
  const engine = await create<Connection>(running, 'Connection', {
    name: 'Voice',
    kind: 'embedded',
    chatConnectionId: connection.id,
  })
  const agent = await create<Agent>(running, 'Agent', {
    name: 'Guide',
    systemMessage: 'You guide visitors.',
    connectionId: engine.id,
    ...fields.agent,
  })
  return { agentId: agent.id, chatConnectionId: connection.id, engineConnectionId: engine.id }
}

/** The content of a request to a chat server, in one form for both API formats. */
export interface ChatRequestContent {
  readonly key: unknown
  readonly model: unknown
  readonly system: string
  /** The roles in order, and the messages as JSON. */
  readonly roles: readonly string[]
  readonly talk: string
  readonly toolNames: readonly string[]
  readonly toolChoice: unknown
  readonly maxTokens: unknown
}

export function chatRequestContent({ headers, body }: ChatRequest): ChatRequestContent {
  const isAnthropic = headers['x-api-key'] !== undefined
  const messages = body.messages as readonly { role: string; content: unknown }[]
  const talk = messages.filter(({ role }) => role !== 'system')
  const tools = (body.tools ?? []) as readonly { name?: string; function?: { name: string } }[]
  return {
    key: isAnthropic ? headers['x-api-key'] : headers.authorization?.replace('Bearer ', ''),
    model: body.model,
    system: JSON.stringify(isAnthropic ? body.system : messages.filter(({ role }) => role === 'system')),
    roles: talk.map(({ role }) => role),
    talk: JSON.stringify(talk),
    toolNames: tools.map((tool) => tool.function?.name ?? tool.name ?? ''),
    toolChoice: body.tool_choice,
    maxTokens: body.max_tokens,
  }
}

/** A session with text input and spoken output. */
export class TypedSession {
  readonly client: RealtimeClient
  readonly conversationId: string

  private constructor(client: RealtimeClient, conversationId: string) {
    this.client = client
    this.conversationId = conversationId
  }

  static async open(running: RunningService, agentId: string): Promise<TypedSession> {
    const path = `/api/v1/Agent/${agentId}/realtime-session`
    const ticket = await running.client.call<RealtimeSessionTicket>('POST', path, { body: {} })
    expect(ticket.status, ticket.text).toBe(201)
    const client = await openSocket(running.url, ticket.body.webSocketPath)
    await client.inbox.takeType('session.updated')
    return new TypedSession(client, ticket.body.conversationId)
  }

  ask(text: string, response: object = {}): void {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
    this.client.send({ type: 'conversation.item.create', item })
    this.client.send({ type: 'response.create', response })
  }

  /** Resolves with the next finished response. */
  async done(): Promise<Event & { readonly status: string }> {
    const event = await this.client.inbox.takeType('response.done')
    return event.response as Event & { status: string }
  }

  /** All received sound so far. */
  heard(): AudioClip {
    const sounds = this.events('response.output_audio.delta').map(({ delta }) =>
      Buffer.from(String(delta), 'base64'),
    )
    return { samples: samplesFromBytes(Buffer.concat(sounds)), rate: wireRate }
  }

  events(type: string): Event[] {
    return this.client.inbox.all
      .filter(({ isBinary }) => !isBinary)
      .map(({ data }) => JSON.parse(data.toString()) as Event)
      .filter((event) => event.type === type)
  }

  async close(): Promise<void> {
    this.client.socket.close()
    await this.client.inbox.closed
  }
}
