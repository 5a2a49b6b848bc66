import { type CustomEvent, customEvents, type Message, type RealtimeSession } from '@parley/contract'
import { expect } from 'vitest'
import type { ApiClient } from '../api-client.js'
import type { RealtimeClient } from './open-socket.js'

export const patiently = { timeout: 60_000, interval: 20 }

/** The audio of a user's turn is committed. Its words arrive later. */
export const committed = (itemId: string) => ({ type: 'input_audio_buffer.committed', item_id: itemId })

export const transcribed = (itemId: string, transcript: string) => ({
  type: 'conversation.item.input_audio_transcription.completed',
  item_id: itemId,
  content_index: 0,
  transcript,
})

export const responseCreated = (id: string) => ({ type: 'response.created', response: { id } })

export const responseDone = (id: string, fields: object = { status: 'completed', output: [] }) => ({
  type: 'response.done',
  response: { id, ...fields },
})

const answer = (itemId: string) => ({
  response_id: `response of ${itemId}`,
  item_id: itemId,
  output_index: 0,
  content_index: 0,
})

/** A delta of the assistant's words. */
export const spoke = (itemId: string, delta: string) => ({
  type: 'response.output_audio_transcript.delta',
  ...answer(itemId),
  delta,
})

export const answered = (itemId: string, transcript: string) => ({
  type: 'response.output_audio_transcript.done',
  ...answer(itemId),
  transcript,
})

export const typedItem = (itemId: string, text: string) => ({
  id: itemId,
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
})

/** The first page of a conversation's messages, as the API returns it. */
export async function messagesOf(client: ApiClient, conversationId: string): Promise<readonly Message[]> {
  const path = `/api/v1/Conversation/${conversationId}/message?Limit=200`
  const { body } = await client.call<{ items: Message[] }>('GET', path)
  return body.items
}

/** The words of both sides, in order. The parts of an answer are joined. */
export function joinedWords(messages: readonly Message[]): string[] {
  const lines: string[] = []
  let last = ''
  for (const { role, content } of messages) {
    if (role !== 'user' && role !== 'assistant') continue
    if (role === last) lines.push(`${lines.pop()} ${content.trim()}`)
    else lines.push(`${role}: ${content.trim()}`)
    last = role
  }
  return lines
}

/** The sessions of a conversation, newest first. */
export async function sessionsOf(
  client: ApiClient,
  conversationId: string,
): Promise<readonly RealtimeSession[]> {
  const path = `/api/v1/RealtimeSession?ConversationId=${conversationId}`
  const { body } = await client.call<{ items: RealtimeSession[] }>('GET', path)
  return body.items
}

export async function endReasonOf(
  client: ApiClient,
  conversationId: string,
): Promise<RealtimeSession['endReason'] | undefined> {
  return (await sessionsOf(client, conversationId))[0]?.endReason
}

/** Waits until the newest session of a conversation has ended. Then all its data is stored. */
export async function endedSession(client: ApiClient, conversationId: string): Promise<RealtimeSession> {
  const newest = async () =>
    (await sessionsOf(client, conversationId)).find((session) => session.state === 'consumed')
  await expect.poll(async () => (await newest())?.endedAt, patiently).toEqual(expect.any(String))
  return (await newest()) as RealtimeSession
}

/** The service's own events that a client has received so far, each checked against the contract. */
export function customEventsIn({ inbox }: RealtimeClient): CustomEvent[] {
  return inbox.all
    .filter((frame) => !frame.isBinary)
    .map((frame) => JSON.parse(frame.data.toString()) as { type: keyof typeof customEvents })
    .filter((event) => event.type in customEvents)
    .map((event) => customEvents[event.type].parse(event))
}

/** The ids of the messages that were announced to a client. */
export function announcedIds(client: RealtimeClient): string[] {
  return customEventsIn(client).flatMap((event) =>
    event.type === 'message.created' || event.type === 'response.id' ? [event.data.id] : [],
  )
}
