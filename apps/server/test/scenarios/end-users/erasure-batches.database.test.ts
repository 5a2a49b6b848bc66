import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConversationRecord } from '#server/ports/conversation-stores.js'
import { databaseKinds, type RunningService, startService } from '../../support/start-service.js'
import { makeAgent, makeConversation, makeMessage, makeTurn } from '../../support/stores/records.js'

const at = '2030-01-01T00:00:00.000Z'

describe.each(databaseKinds)('the batches of an erasure on %s [USR-14]', (database) => {
  let running: RunningService

  beforeAll(async () => {
    running = await startService({ database })
  })

  afterAll(() => running.close())

  const stores = () => running.service.database.stores

  /** Adds conversations of a new end user, with messages. Returns the id of the end user. */
  async function addEndUser(conversationCount: number, messageCount: number) {
    const { organizationId } = running
    const agent = makeAgent(organizationId, { subAgentIds: [] })
    await stores().agents.insert(agent)
    const { id } = await stores().endUsers.see({ organizationId, externalId: uuid(), newId: uuid(), at })
    const conversations: ConversationRecord[] = []
    for (let index = 0; index < conversationCount; index += 1) {
      const conversation = makeConversation(organizationId, agent.id, { endUserId: id })
      await stores().conversations.add(conversation)
      for (let count = 0; count < messageCount; count += 1)
        await stores().conversations.addMessage(makeMessage(conversation))
      conversations.push(conversation)
    }
    return { id, conversations }
  }

  // Each test is rolled back, so that the background work of the service does not take part.
  test('hide at most as many conversations as allowed', async () => {
    const { id } = await addEndUser(5, 0)
    await running.service.database.dryRun(async ({ erasures }) => {
      const next = () => erasures.requestRemovals(id, at, 2)
      expect([await next(), await next(), await next(), await next()]).toEqual([2, 2, 1, 0])
    })
  })

  test('remove at most as many rows as allowed, and the conversations last', async () => {
    const { id, conversations } = await addEndUser(2, 5)
    await running.service.database.dryRun(async (inner) => {
      await inner.erasures.requestRemovals(id, at, 10)
      const limits = { conversations: 2, rows: 4 }
      const left = async () => (await inner.erasures.remaining(id)).remainingConversations
      const messages: number[] = []
      while ((await inner.erasures.removeSome(limits)) === 'removed') {
        let sum = 0
        for (const { organizationId, id: conversationId } of conversations)
          sum += (
            await inner.conversations.listMessages(organizationId, conversationId, { offset: 0, limit: 1 })
          ).totalCount
        messages.push(sum)
        if (sum > 0) expect(await left()).toBe(2)
      }
      expect(messages).toEqual([6, 2, 0])
      expect(await left()).toBe(0)
    })
  })

  test('wait for a turn that a live instance runs', async () => {
    const { id, conversations } = await addEndUser(1, 1)
    const [conversation] = conversations
    if (conversation === undefined) throw new Error('The conversation is missing.')
    await running.service.database.dryRun(async (inner) => {
      const instanceId = uuid()
      await inner.instanceLeases.renew(instanceId, 1)
      const turn = makeTurn(conversation, { instanceId })
      await inner.turns.insert(turn)
      await inner.erasures.requestRemovals(id, at, 10)
      const limits = { conversations: 10, rows: 100 }
      expect(await inner.turns.stopRequested([turn.id])).toEqual([{ id: turn.id, isErased: true }])
      expect(await inner.erasures.removeSome(limits)).toBe('waiting')
      await inner.instanceLeases.release(instanceId)
      expect(await inner.erasures.removeSome(limits)).toBe('removed')
      expect(await inner.erasures.removeSome(limits)).toBe('done')
    })
  })
})
