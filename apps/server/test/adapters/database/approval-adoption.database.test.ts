import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { databaseKinds } from '../../support/start-service.js'
import { makeMessage } from '../../support/stores/records.js'
import { idsOf, later, now, twentyAtOnce, useApprovals } from '../../support/stores/use-approvals.js'

describe.each(databaseKinds)('the approval store on the %s database [DB-1]', (kind) => {
  const kept = useApprovals(kind)
  const { add, find, newConversation, newSession, newTurn } = kept

  describe('adopt, for a new session [APR-3]', () => {
    const adopt = (id: string) =>
      kept.approvals.adopt(
        { id, agentId: kept.conversation.agentId, conversationId: kept.conversation.id },
        later,
      )

    test('takes the unfinished calls, oldest first, also those of another running session', async () => {
      const [mine, other, over] = [await newSession(true), await newSession(true), await newSession(false)]
      const ofNobody = await add({ state: 'approved', claimedBy: uuid() })
      const ofOther = await add({ originId: other })
      const ofTurn = await add({ originId: await newTurn(true) })
      const ofEnded = await add({ originId: over, state: 'rejected' })
      const own = await add({ originId: mine })
      const finished = await add({ finishedAt: now })
      const elsewhere = await add({ conversationId: (await newConversation()).id })
      const adopted = await adopt(mine)
      expect(idsOf(adopted)).toEqual(idsOf([ofNobody, ofOther, ofTurn, ofEnded, own]))
      expect(adopted[3]).toEqual({ ...ofEnded, originId: mine, updatedAt: later, version: 2 })
      for (const untouched of [finished, elsewhere]) expect(await find(untouched.id)).toEqual(untouched)
      expect(idsOf(await adopt(mine))).toEqual(idsOf(adopted))
    })

    test('lets only the new session claim the calls that it took', async () => {
      const [former, mine] = [await newSession(true), await newSession(true)]
      const { id } = await add({ state: 'approved', originId: former })
      await adopt(mine)
      expect(await kept.approvals.claim(id, uuid(), former, now)).toBe(false)
      expect(await kept.approvals.claim(id, uuid(), mine, now)).toBe(true)
    })

    test('leaves the sub-agent calls of running sessions and takes those of ended sessions', async () => {
      const [mine, other, over] = [await newSession(true), await newSession(true), await newSession(false)]
      const { agentId } = await newConversation()
      const inRunning = await add({ agentId, originId: other })
      const inTurn = await add({ agentId, originId: await newTurn(true) })
      const inEnded = await add({ agentId, originId: over })
      const inNone = await add({ agentId })
      expect(idsOf(await adopt(mine))).toEqual(idsOf([inEnded, inNone]))
      for (const left of [inRunning, inTurn]) expect(await find(left.id)).toEqual(left)
    })

    test('leaves calls that were already answered', async () => {
      const ids: string[] = []
      for (const [index, status] of [0, 1, 2, 3].entries()) {
        const message = makeMessage(kept.conversation, { itemId: `item_${index}`, role: 'tool', status })
        await kept.opened.stores.conversations.addMessage(message)
        ids.push((await add({ messageId: message.id })).id)
      }
      expect(idsOf(await adopt(await newSession(true)))).toEqual([ids[0], ids[3]])
    })

    test('gives every call to one of 20 concurrent sessions and lists the calls to all of them', async () => {
      const ids = idsOf([await add(), await add(), await add()])
      const sessions = await twentyAtOnce(() => newSession(true))
      const taken = await Promise.all(sessions.map(adopt))
      for (const calls of taken) expect(idsOf(calls)).toEqual(ids)
      const owners = new Set((await kept.approvals.findMany(ids)).map(({ originId }) => originId))
      expect(owners.size).toBe(1)
      expect(sessions).toContain([...owners][0])
    })
  })
})
