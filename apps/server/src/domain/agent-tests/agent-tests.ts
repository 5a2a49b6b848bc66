import { type AgentTestInput, type AgentTestListQuery, maxAgentTests, type Page } from '@parley/contract'
import type { AgentRecord } from '../../ports/agent-stores.js'
import type { AgentTestEngine } from '../../ports/agent-test-engine.js'
import type { AgentTestRecord } from '../../ports/agent-test-stores.js'
import type { Database, Stores } from '../../ports/database.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError, invalidRequest, notFound } from '../domain-error.js'
import {
  changedFields,
  changeResource,
  type IfMatch,
  listResources,
  newResource,
  readResource,
  removeResource,
} from '../resources/resource.js'

const type = 'AgentTest'

interface AgentTestsDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly engine: AgentTestEngine
}

/** The ids by which callers name tests of an agent. */
interface MeantTest {
  readonly agentId: string
  readonly agentTestId: string
}

export type AgentTests = ReturnType<typeof makeAgentTests>

/** The stored tests of agents. Definitions are read outside of transactions, because loading their reader takes a while. */
export function makeAgentTests({ database, clock, engine }: AgentTestsDependencies) {
  const kind = { type, clock, store: (stores: Stores) => stores.agentTests }

  async function read(scope: CallerScope, { agentId, agentTestId }: MeantTest): Promise<AgentTestRecord> {
    const found = await readResource(kind, scope, agentTestId)
    await findAgent(scope, agentId)
    if (found.agentId !== agentId) throw notFound(type)
    return found
  }

  async function testsOf(
    agent: AgentRecord,
    { definition }: AgentTestInput,
  ): Promise<AgentTestRecord['tests']> {
    const { id: agentId, name, externalId } = agent
    const agentNames = externalId === null ? [name] : [externalId, name]
    const outcome = await engine.read({ definition, agentId, agentNames })
    if (!outcome.ok)
      throw invalidRequest(outcome.mistakes.map((message) => ({ path: 'definition', message })))
    return outcome.tests.map((test) => ({ name: test.name, channel: test.channel }))
  }

  return {
    async list(
      scope: CallerScope,
      agentId: string,
      query: AgentTestListQuery,
    ): Promise<Page<AgentTestRecord>> {
      await findAgent(scope, agentId)
      return listResources(kind, scope, { query, filter: { agentId } })
    },

    read,

    async create(scope: CallerScope, agentId: string, input: AgentTestInput): Promise<AgentTestRecord> {
      const { caller } = scope
      const { organizationId } = caller
      const tests = await testsOf(await findAgent(scope, agentId), input)
      const record = { ...newResource(clock, organizationId), ...input, agentId, tests }
      await database.ownedBy({ organizationId, kind: 'call' }).transaction(async (stores) => {
        await requireRoom(stores, record)
        await stores.agentTests.insert(record)
        const details = { agentId, name: record.name }
        const change = { action: 'agent_test.create', type, id: record.id, details }
        await recordChange(clock, { stores, caller }, change)
      })
      return record
    },

    async replace(
      scope: CallerScope,
      { ifMatch, ...meant }: MeantTest & { readonly ifMatch: IfMatch },
      input: AgentTestInput,
    ): Promise<AgentTestRecord> {
      const { caller } = scope
      const { id } = await read(scope, meant)
      const tests = await testsOf(await findAgent(scope, meant.agentId), input)
      const owned = database.ownedBy({ organizationId: caller.organizationId, kind: 'call' })
      return owned.transaction(async (stores) => {
        const within = { stores, caller }
        const { before, after } = await changeResource(kind, within, {
          id,
          ifMatch,
          change: (current) => ({ ...current, ...input, tests }),
        })
        const details = { agentId: meant.agentId, changed: changedFields(before, after) }
        await recordChange(clock, within, { action: 'agent_test.update', type, id, details })
        return after
      })
    },

    async remove(
      scope: CallerScope,
      { ifMatch, ...meant }: MeantTest & { readonly ifMatch: IfMatch },
    ): Promise<undefined> {
      const { id, agentId, name } = await read(scope, meant)
      await removeResource(kind, scope, { id, ifMatch })
      await recordChange(clock, scope, { action: 'agent_test.delete', type, id, details: { agentId, name } })
    },
  }
}

export async function findAgent({ stores, caller }: CallerScope, agentId: string): Promise<AgentRecord> {
  const agent = await stores.agents.find(caller.organizationId, agentId)
  if (agent === null) throw notFound('Agent')
  return agent
}

async function requireRoom(
  { agentTests }: Stores,
  { organizationId, agentId }: AgentTestRecord,
): Promise<void> {
  const { totalCount } = await agentTests.list(organizationId, { agentId }, { offset: 0, limit: 1 })
  if (totalCount < maxAgentTests) return
  const detail = `An agent may have at most ${maxAgentTests} tests. Delete some, or put several tests into one definition.`
  throw new DomainError('QuotaExceeded', detail)
}
