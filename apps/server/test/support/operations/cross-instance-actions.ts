import type { RealtimeSession, Task } from '@parley/contract'
import { expect } from 'vitest'
import { openReadyStream } from '../live/live-reader.js'
import { ask, askStreaming, follow } from '../questions/ask.js'
import { endedTurn, type QuestionService } from '../questions/question-service.js'
import { transcribed } from '../realtime/spoken-turns.js'
import { decide } from '../realtime/waiting-calls.js'
import type { RunningService } from '../start-service.js'
import { makeGate } from '../stores/store-database.js'

export interface CrossInstanceSetup {
  readonly asked: QuestionService
  readonly other: RunningService
  /** The agent with the refund tool that needs approval. */
  readonly agentId: string
}

/**
 * Actions on one of two instances that affect the other. Each returns the milliseconds until it takes effect
 * there.
 */
export const crossInstanceActions = {
  /** A turn waits here and is decided on the other instance. Measures the time until the tool is called. */
  async 'a decision'({ asked, other, agentId }: CrossInstanceSetup): Promise<number> {
    asked.model.answer({ calls: [{ id: 'call_a', name: 'refund', arguments: { amount: 5 } }] })
    const { body: turn } = await ask(asked.running, agentId, { question: 'Money back!' })
    const called = asked.tools.expect('POST /refund', { body: 'Paid.' })
    asked.model.answer({ text: 'Done.' })
    const begin = performance.now()
    await decide(other.client, turn.conversationId, 'call_a', 'approve')
    await called
    const milliseconds = performance.now() - begin
    expect(await endedTurn(asked.running, turn)).toMatchObject({ status: 'completed', answer: 'Done.' })
    return milliseconds
  },

  /**
   * A session runs here and is ended on the other instance. Measures the time until its client is notified.
   */
  async 'the end of a session'({ asked, other, agentId }: CrossInstanceSetup): Promise<number> {
    const { ticket, client } = await asked.speakTo(agentId)
    const path = `/api/v1/RealtimeSession?ConversationId=${ticket.conversationId}`
    const { body } = await other.client.call<{ items: RealtimeSession[] }>('GET', path)
    const begin = performance.now()
    await other.client.call('DELETE', `/api/v1/RealtimeSession/${body.items[0]?.id}`)
    expect(await client.inbox.closed).toMatchObject({ code: 4005 })
    return performance.now() - begin
  },

  /** A turn streams here and is stopped on the other instance. Measures the time until its stream ends. */
  async 'the stop of a turn'({ asked, other, agentId }: CrossInstanceSetup): Promise<number> {
    asked.model.answer({ text: ['Once ', 'upon'], end: 'hanging' })
    const stream = await askStreaming(asked.running, agentId, { question: 'A story?' })
    const { conversationId, turnId } = (await stream.waitFor('turn.started')).data
    await stream.waitFor('response.text.delta')
    const begin = performance.now()
    await other.client.call('DELETE', `/api/v1/Conversation/${conversationId}/turn/${turnId}`)
    await stream.ended
    return performance.now() - begin
  },

  /** A turn streams here and is followed on the other instance. Measures the delay of its words there. */
  async 'an event of a turn'({ asked, other, agentId }: CrossInstanceSetup): Promise<number> {
    const gate = makeGate()
    asked.model.answer({ text: [gate.opened, 'Once'] })
    const stream = await askStreaming(asked.running, agentId, { question: 'A story?' })
    const { conversationId, turnId } = (await stream.waitFor('turn.started')).data
    const follower = await follow(other, { conversationId, turnId })
    await follower.waitFor('message.created')
    gate.open()
    await stream.waitFor('response.text.delta')
    const begin = performance.now()
    await follower.waitFor('response.text.delta')
    const milliseconds = performance.now() - begin
    await Promise.all([stream.ended, follower.ended])
    return milliseconds
  },

  /**
   * A question on the other instance waits for one that is answered here. Measures the time from the end to
   * the start.
   */
  async 'the next question'({ asked, other, agentId }: CrossInstanceSetup): Promise<number> {
    const gate = makeGate()
    asked.model.answer({ text: ['One', gate.opened] }, { text: 'Two' })
    const first = await askStreaming(asked.running, agentId, { question: 'First?' })
    const { conversationId } = (await first.waitFor('turn.started')).data
    await first.waitFor('response.text.delta')
    const second = await askStreaming(other, agentId, { question: 'Second?', conversationId })
    await second.waitFor('turn.started')
    gate.open()
    await first.ended
    const begin = performance.now()
    await second.waitFor('message.created')
    const milliseconds = performance.now() - begin
    await second.ended
    return milliseconds
  },

  /** A task is created here. Measures the time until a live stream on the other instance reports it. */
  async 'a change, reported to a live stream'({ asked, other }: CrossInstanceSetup): Promise<number> {
    const reader = await openReadyStream(other.url, headersOf(other))
    const begin = performance.now()
    await asked.running.client.call<Task>('POST', '/api/v1/Task', { body: { title: 'New' } })
    await reader.waitForChange({ resource: 'Task', change: 'created' })
    const milliseconds = performance.now() - begin
    await reader.cut()
    return milliseconds
  },

  /** A message is stored here. Measures the time until a live stream on the other instance reports it. */
  async 'a message, reported to a live stream'({
    asked,
    other,
    agentId,
  }: CrossInstanceSetup): Promise<number> {
    const { client, provider } = await asked.speakTo(agentId)
    const reader = await openReadyStream(other.url, headersOf(other))
    provider.send(transcribed('U', 'Hello'))
    await client.inbox.takeType('message.created')
    const begin = performance.now()
    await reader.waitForChange({ resource: 'Message' })
    const milliseconds = performance.now() - begin
    client.socket.close()
    await reader.cut()
    return milliseconds
  },

  /**
   * A run is planned here while another run has the only slot. Measures the time until the other instance's
   * agent starts it.
   */
  async 'a run without a free slot on the first instance'({
    asked,
    agentId,
  }: CrossInstanceSetup): Promise<number> {
    const gates = [makeGate(), makeGate()]
    asked.model.answer(...gates.map((gate) => ({ text: [gate.opened, 'Done.'] })))
    const { client } = asked.running
    const plan = async (title: string) => {
      const { body } = await client.call<Task>('POST', '/api/v1/Task', { body: { title, agentId } })
      await client.call('POST', `/api/v1/Task/${body.id}/run`)
      return body.id
    }
    const first = await plan('First')
    await asked.model.nextRequest()
    const second = await plan('Second')
    const begin = performance.now()
    await asked.model.nextRequest()
    const milliseconds = performance.now() - begin
    for (const gate of gates) gate.open()
    const statusOf = async (id: string) => (await client.call<Task>('GET', `/api/v1/Task/${id}`)).body.status
    for (const id of [first, second]) await expect.poll(() => statusOf(id), { timeout: 60_000 }).toBe('done')
    return milliseconds
  },
} as const satisfies Record<string, (elsewhere: CrossInstanceSetup) => Promise<number>>

function headersOf({ apiKey, organizationId }: RunningService): Record<string, string> {
  return { 'x-api-key': apiKey, 'x-org-id': organizationId }
}
