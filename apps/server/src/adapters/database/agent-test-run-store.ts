import type { AgentTestOutcome } from '@parley/contract'
import { and, asc, desc, eq, getTableColumns, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { AgentTestFilter, AgentTestRunRecord, AgentTestRunStore } from '../../ports/agent-test-stores.js'
import { agentTestResult, agentTestRun } from './agent-test-schema.js'
import type { Handle } from './handle.js'
import { rowLock } from './locks.js'
import { resourceStore } from './resource-store.js'

const { runId: _, position: __, ...resultColumns } = getTableColumns(agentTestResult)
const { reason: ___, unmet: ____, transcript: _____, ...outcomeColumns } = resultColumns

const isRunning = eq(agentTestRun.state, 'running')

/** Uses the database's time, because the clocks of two instances may differ. */
const isLeaseOver = (leaseSeconds: number): SQL => sql`not exists (
  select 1 from instance_lease
  where instance_lease.instance_id = ${agentTestRun.instanceId}
    and instance_lease.renewed_at > now() - make_interval(secs => ${leaseSeconds}))`

export function makeAgentTestRunStore(handle: Handle): AgentTestRunStore {
  const ofAgent = (agentId: string) => eq(agentTestRun.agentId, agentId)

  return {
    ...resourceStore<AgentTestRunRecord, AgentTestFilter>(handle, agentTestRun, {
      matching: ({ agentId }) => [agentId === undefined ? undefined : ofAgent(agentId)],
    }),

    async end(id, end, at) {
      const ended = await handle
        .update(agentTestRun)
        .set({ ...end, endedAt: at, updatedAt: at, version: sql`${agentTestRun.version} + 1` })
        .where(and(eq(agentTestRun.id, id), isRunning))
      return ended.rowCount === 1
    },

    async addResult(id, position, result) {
      const [open] = await handle
        .select({ id: agentTestRun.id })
        .from(agentTestRun)
        .where(and(eq(agentTestRun.id, id), isRunning))
        .for(rowLock.toKeepUnchanged)
      if (open !== undefined) await handle.insert(agentTestResult).values({ ...result, runId: id, position })
      return open !== undefined
    },

    async previousVerdict({ id, agentId }, { testId, name }) {
      const [row] = await handle
        .select({ verdict: agentTestResult.verdict })
        .from(agentTestResult)
        .innerJoin(agentTestRun, eq(agentTestRun.id, agentTestResult.runId))
        .where(
          and(
            ofAgent(agentId),
            ne(agentTestRun.id, id),
            eq(agentTestResult.testId, testId),
            eq(agentTestResult.name, name),
          ),
        )
        .orderBy(desc(agentTestRun.id))
        .limit(1)
      return row?.verdict ?? null
    },

    results: (id) =>
      handle
        .select(resultColumns)
        .from(agentTestResult)
        .where(eq(agentTestResult.runId, id))
        .orderBy(asc(agentTestResult.position)),

    async outcomes(ids) {
      const outcomes = new Map<string, AgentTestOutcome[]>(ids.map((id) => [id, []]))
      if (ids.length === 0) return outcomes
      const rows = await handle
        .select({ runId: agentTestResult.runId, outcome: outcomeColumns })
        .from(agentTestResult)
        .where(inArray(agentTestResult.runId, [...ids]))
        .orderBy(asc(agentTestResult.position))
      for (const { runId, outcome } of rows) outcomes.get(runId)?.push(outcome)
      return outcomes
    },

    async removeOlder(agentId, kept) {
      const newest = handle
        .select({ id: agentTestRun.id })
        .from(agentTestRun)
        .where(ofAgent(agentId))
        .orderBy(desc(agentTestRun.id))
        .limit(kept)
      await handle.delete(agentTestRun).where(and(ofAgent(agentId), sql`${agentTestRun.id} not in ${newest}`))
    },

    async removeAll(agentId) {
      await handle.delete(agentTestRun).where(ofAgent(agentId))
    },

    async closeLost(leaseSeconds, failure) {
      const closed = await handle
        .update(agentTestRun)
        .set({
          state: 'failed',
          failure,
          version: sql`${agentTestRun.version} + 1`,
          endedAt: sql`now()`,
          updatedAt: sql`now()`,
        })
        .where(and(isRunning, isLeaseOver(leaseSeconds)))
      return closed.rowCount ?? 0
    },
  }
}
