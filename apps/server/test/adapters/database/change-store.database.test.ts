import { v7 as uuid } from 'uuid'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#server/adapters/system/clock.js'
import { countUse } from '#server/domain/usage/count-use.js'
import type { ChangeCursor, FoundChange } from '#server/ports/changes.js'
import type { ConversationRecord } from '#server/ports/conversation-stores.js'
import type { Stores } from '#server/ports/database.js'
import { addMember, addPerson } from '../../support/people/signed-in.js'
import { databaseKinds } from '../../support/start-service.js'
import {
  makeAgent,
  makeApproval,
  makeAuditRecord,
  makeConversation,
  makeMessage,
  makeSession,
  makeTurn,
} from '../../support/stores/records.js'
import { makeGate, newOrganization, openStoreDatabase } from '../../support/stores/store-database.js'
import { makeUse } from '../../support/stores/usage-records.js'
import { useStoreDatabase } from '../../support/stores/use-store-database.js'
import { makeDelivery, makeWebhook } from '../../support/stores/webhook-records.js'

describe.each(databaseKinds)('the change store on the %s database', (kind) => {
  const kept = useStoreDatabase(kind)
  let conversation: ConversationRecord
  let cursor: ChangeCursor

  beforeEach(async () => {
    const { organizationId, stores } = kept
    const agent = makeAgent(organizationId)
    conversation = makeConversation(organizationId, agent.id)
    await stores.agents.insert(agent)
    await stores.conversations.insert(conversation)
    cursor = await stores.changes.present()
  })

  const resourceOf = (change: FoundChange) => (change.kind === 'record' ? change.action : change.resource)

  /** Returns the new changes by kind. The next call begins after them. */
  async function next(limit = 100): Promise<string[]> {
    const found = await kept.stores.changes.after(kept.organizationId, cursor, limit)
    cursor = found.cursor
    return found.changes.map(resourceOf).sort()
  }

  /** Every kind of row that reports changes: how to insert one and how to change it. */
  const rows: Readonly<
    Record<string, (stores: Stores) => { make(): Promise<unknown>; change(): Promise<unknown> }>
  > = {
    Message({ conversations }) {
      const message = makeMessage(conversation, { status: 0 })
      return {
        make: () => conversations.addMessage(message),
        change: () => conversations.updateToolMessage(message.id, { status: 1 }, message.updatedAt),
      }
    },
    Turn({ turns }) {
      const turn = makeTurn(conversation)
      return { make: () => turns.insert(turn), change: () => turns.start(turn.id, turn.updatedAt) }
    },
    RealtimeSession({ realtimeSessions }) {
      const session = makeSession(conversation)
      return {
        make: () => realtimeSessions.insert(session),
        change: () => realtimeSessions.end(session.id, 'client_left', session.updatedAt),
      }
    },
    Approval({ approvals }) {
      const approval = { ...makeApproval(conversation), originId: uuid() }
      return {
        make: () => approvals.insert(approval),
        change: () => approvals.withdraw(approval.id, approval.originId, approval.updatedAt),
      }
    },
    // Its deliveries: one more, and one that is due again.
    Webhook({ webhooks, webhookDeliveries }) {
      const webhook = makeWebhook(kept.organizationId)
      const [first, later] = [makeDelivery(webhook), makeDelivery(webhook)]
      return {
        make: async () => {
          await webhooks.insert(webhook)
          await webhookDeliveries.insert([first, later])
        },
        change: () => webhookDeliveries.redeliver(webhook.id, first.id, new Date().toISOString()),
      }
    },
    // A use that is written late happened long before.
    Usage(stores) {
      const use = (at: Date) => countUse({ clock: systemClock }, stores, makeUse(kept.organizationId, at))
      return { make: () => use(new Date()), change: () => use(new Date(Date.now() - 3_600_000)) }
    },
  }

  test.each(Object.keys(rows))('finds every change of a %s once [LIVE-1]', async (name) => {
    const row = rows[name]?.(kept.stores)
    await row?.make()
    const made = await next()
    expect(made.filter((resource) => resource !== 'Conversation')).toEqual([name])
    expect(await next()).toEqual([])
    await row?.change()
    expect(await next()).toEqual([name])
    expect(await next()).toEqual([])
  })

  test('finds new conversations, audit records and the members that they affect [LIVE-1]', async () => {
    const { organizationId, stores } = kept
    const { id: personId } = await addPerson(stores)
    const memberId = await addMember(stores, { organizationId, personId, role: 'viewer' })
    await stores.conversations.insert(makeConversation(organizationId, conversation.agentId))
    const action = 'person.update'
    await stores.audit.append(
      makeAuditRecord(organizationId, { resourceType: 'Person', resourceId: personId, action }),
    )
    const { changes } = await stores.changes.after(organizationId, cursor, 100)
    expect(changes.find(({ kind: found }) => found === 'record')).toMatchObject({ action, memberId })
    expect(await next()).toEqual(['Conversation', action])
  })

  test('finds no change of another organization, and at most the requested number [LIVE-2]', async () => {
    const other = await newOrganization(kept.database)
    for (const organizationId of [other, kept.organizationId, other, kept.organizationId])
      await kept.stores.audit.append(makeAuditRecord(organizationId))
    expect(await next(1)).toHaveLength(1)
  })

  test('finds a row whose timestamp a slow clock set a minute back [LIVE-3]', async () => {
    const updatedAt = new Date(Date.now() - 60_000).toISOString()
    await kept.stores.conversations.addMessage(makeMessage(conversation, { updatedAt }))
    expect(await next()).toContain('Message')
  })
})

// The embedded database has one session, so nothing runs between the statements of a transaction there.
test('finds a row whose transaction began before the cursor and committed after it [LIVE-3]', async () => {
  const database = await openStoreDatabase('postgres')
  onTestFinished(() => database.close())
  const { changes, audit } = database.stores
  const organizationId = await newOrganization(database)
  let cursor = await changes.present()
  const next = async () => {
    const found = await changes.after(organizationId, cursor, 100)
    cursor = found.cursor
    return found.changes.map((change) => change.kind === 'record' && change.action)
  }
  const [written, mayCommit] = [makeGate(), makeGate()]
  const late = database.transaction(async (stores) => {
    await stores.audit.append(makeAuditRecord(organizationId, { action: 'late' }))
    // Writes of audit records are not awaited, so another query waits for them.
    expect(await stores.audit.countUnsealed(organizationId)).toBe(1)
    written.open()
    await mayCommit.opened
  })
  await written.opened
  onTestFinished(() => mayCommit.open())
  // These transactions began later and ended earlier. Other tests have open transactions in the same server.
  const open: (readonly number[])[] = []
  for (const action of ['first', 'second']) {
    await audit.append(makeAuditRecord(organizationId, { action }))
    expect(await next()).toEqual([action])
    open.push(cursor.openTransactions)
  }
  expect(open[0]?.filter((one) => open[1]?.includes(one))).not.toEqual([])
  mayCommit.open()
  await late
  expect(await next()).toEqual(['late'])
  expect(await next()).toEqual([])
})
