import { expect } from 'vitest'
import type { QuestionService } from '../questions/question-service.js'
import {
  committed,
  endedSession,
  messagesOf,
  patiently,
  responseCreated,
  responseDone,
  spoke,
  transcribed,
} from '../realtime/spoken-turns.js'
import type { Hotel } from './hotel.js'

/** A guest of the hotel continues the typed conversation by voice and interrupts the answer. */
export async function interruptHotelAnswer(
  service: QuestionService,
  { agentId, conversationId }: Hotel,
): Promise<void> {
  const { client, provider } = await service.speakTo(agentId, { conversationId })
  provider.send(committed('u2'))
  provider.send(transcribed('u2', 'Where is the room?'))
  provider.send(responseCreated('response of a2'))
  provider.send(spoke('a2', 'Room 12 is on the second floor, behind'))
  provider.send(responseDone('response of a2', { status: 'cancelled', output: [] }))
  const isStored = async () =>
    (await messagesOf(service.running.client, conversationId)).some(({ interrupted }) => interrupted)
  await expect.poll(isStored, patiently).toBe(true)
  client.socket.close()
  await endedSession(service.running.client, conversationId)
}
