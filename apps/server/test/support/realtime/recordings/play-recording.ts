import type { ConnectionKind, Usage } from '@parley/contract'
import { expect } from 'vitest'
import type { RealtimeTestService } from '../realtime-service.js'
import { answered, endedSession, messagesOf, patiently, transcribed } from '../spoken-turns.js'
import { makeToolAgent } from '../tool-calls.js'
import type { Recording } from './recording.js'
import { type PlayedWith, RecordingPlayer } from './recording-player.js'

/** The result of a session in the database. */
export interface StoredSession {
  readonly user: readonly string[]
  readonly assistant: readonly string[]
  /** The names and arguments of the tool calls. */
  readonly calls: readonly string[]
  readonly tokens: { readonly input: number; readonly output: number }
  /** The audio that the provider charges by its duration. It is not compared for GPT-Live, which charges real time. */
  readonly audioSeconds?: number
}

/** Plays both sides of a recording against the service. The service itself runs the tools and sends the history. */
export async function playRecording(
  { service, tools }: PlayedWith,
  kind: ConnectionKind,
  recording: Recording,
): Promise<StoredSession> {
  const agentId = await createAgent({ service, tools }, recording)
  const conversationId = await say(service, agentId, recording.history)
  const connectionId = await useConnection(service, agentId, kind, recording)
  const { ticket, client, provider } = await service.openUnconfigured({ conversationId }, agentId)
  await new RecordingPlayer(provider, { service, tools, client, recording }).play()
  tools.verify()
  client.socket.close(1000)
  const { usage } = await endedSession(service.client, ticket.conversationId)
  const messages = (await messagesOf(service.client, conversationId)).slice(recording.history.length)
  const wordsOf = (speaker: string) =>
    messages.flatMap(({ role, content }) => (role === speaker && content !== null ? [content] : []))
  return {
    user: wordsOf('user'),
    assistant: wordsOf('assistant'),
    calls: messages
      .filter(({ role }) => role === 'tool')
      .map((message) => `${message.name} ${message.arguments}`),
    tokens: { input: usage.inputTokens, output: usage.outputTokens },
    ...(recording.isLive ? {} : await chargedAudio(service, connectionId)),
  }
}

/** Reads the duration that was charged on a connection, if any. */
async function chargedAudio(
  { client }: RealtimeTestService,
  connectionId: string,
): Promise<Pick<StoredSession, 'audioSeconds'>> {
  const path = `/api/v1/Usage?ConnectionId=${connectionId}`
  const { body } = await client.call<Usage>('GET', path)
  const { audioSeconds } = body.totals
  return audioSeconds === 0 ? {} : { audioSeconds }
}

/** Creates an agent with the tools of the recording, on the service's default connection. */
async function createAgent({ service, tools }: PlayedWith, { steps }: Recording): Promise<string> {
  const names = new Set(steps.flatMap((step) => (step.step === 'output' ? step.name : [])))
  return makeToolAgent(service, {
    systemMessage: 'Be brief.',
    tools: [...names].map((name) => ({
      ...{ kind: 'http', name, description: 'A tool of the recording.', parameters: { type: 'object' } },
      request: { method: 'POST', url: `${tools.url}/${name}` },
    })),
  })
}

/** Has the words said in an earlier session. Returns the conversation. */
async function say(service: RealtimeTestService, agentId: string, words: readonly string[]): Promise<string> {
  const { ticket, client, provider } = await service.openUnconfigured({}, agentId)
  for (const [turn, each] of words.entries())
    provider.send((turn % 2 === 0 ? transcribed : answered)(`past_${turn}`, each))
  const stored = async () => (await messagesOf(service.client, ticket.conversationId)).length
  await expect.poll(stored, patiently).toBe(words.length)
  client.socket.close(1000)
  await endedSession(service.client, ticket.conversationId)
  return ticket.conversationId
}

/** Moves the agent to a connection of this kind, and returns its id. */
async function useConnection(
  { provider, client }: RealtimeTestService,
  agentId: string,
  kind: ConnectionKind,
  { model, steps }: Recording,
): Promise<string> {
  const connection = await client.call<{ id: string }>('POST', '/api/v1/Connection', {
    body: {
      ...{ name: kind, kind, baseUrl: provider.baseUrl, apiKey: 'secret' },
      models: { chat: 'text-model', realtime: model === '' ? null : [model] },
    },
  })
  const connectionId = connection.body.id
  // A lost session moves to the same model.
  const isLost = steps.some(({ step }) => step === 'close')
  const agent = await client.call('PATCH', `/api/v1/Agent/${agentId}`, {
    body: { connectionId, realtimeFallbacks: isLost ? [{ connectionId }] : [] },
  })
  if (agent.status !== 200) throw new Error(agent.text)
  return connectionId
}
