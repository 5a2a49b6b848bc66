import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { databaseKinds } from '../../support/start-service.js'
import { makeAgent, makeConversation, makeSession } from '../../support/stores/records.js'
import { newOrganization, sharedStoreDatabase } from '../../support/stores/store-database.js'

test.each(databaseKinds)('closes sessions that began and never ran (%s) [RT-45]', async (kind) => {
  const database = await sharedStoreDatabase(kind)
  const { agents, conversations, realtimeSessions, instanceLeases } = database.stores
  const organizationId = await newOrganization(database)
  const agent = makeAgent(organizationId)
  await agents.insert(agent)
  const conversation = makeConversation(organizationId, agent.id)
  await conversations.insert(conversation)
  const instanceId = uuid()
  const begin = async () => {
    const session = makeSession(conversation)
    await realtimeSessions.insert(session)
    const now = '2030-01-02T03:04:30.000Z'
    await realtimeSessions.consume({ tokenHash: session.tokenHash, now, instanceId, maxRunning: 1000 })
    return session.id
  }
  const [running, forgotten] = [await begin(), await begin()]
  const age = `update realtime_session set started_at = now() - interval '61 seconds' where id = any($1)`
  await database.pool.query(age, [[running, forgotten]])
  const young = await begin()
  const close = () => instanceLeases.closeOrphaned(instanceId, [running], 60)
  expect([await close(), await close()]).toEqual([1, 0])
  const found = await Promise.all(
    [running, forgotten, young].map((id) => realtimeSessions.find(organizationId, id)),
  )
  expect(found.map((session) => session?.endReason)).toEqual([null, 'internal', null])
})
