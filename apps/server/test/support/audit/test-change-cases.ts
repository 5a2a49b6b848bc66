import { expect } from 'vitest'
import type { RunningService } from '../start-service.js'
import { makeTestRun } from '../stores/records.js'
import type { ChangeCase } from './change-cases.js'

const definition = 'tests: [{ name: speaks, channel: voice, turns: [{ user: Hello }] }]'
const body = { name: 'Audited', definition }

/** The ids are those of the agent and of its test or run. */
function pathOf(ids: string, kind: 'test' | 'test-run'): string {
  const [agentId, id = '-'] = ids.split(' ')
  return `/api/v1/Agent/${agentId}/${kind}/${id}`
}

async function arrangeAgent({ client }: RunningService): Promise<string> {
  return (await client.call<{ id: string }>('POST', '/api/v1/Agent', { body: { name: 'Audited' } })).body.id
}

async function arrangeTest(running: RunningService): Promise<string> {
  const agentId = await arrangeAgent(running)
  const path = `/api/v1/Agent/${agentId}/test`
  const made = await running.client.call<{ id: string }>('POST', path, { body })
  return `${agentId} ${made.body.id}`
}

/** Returns the agent of a new test. */
const arrangeTested = async (running: RunningService) => (await arrangeTest(running)).split(' ')[0] ?? ''

async function arrangeRun(running: RunningService): Promise<string> {
  const agentId = await arrangeAgent(running)
  // The service would end the run of an instance that is not alive.
  const { instanceId } = running
  const run = { ...makeTestRun(running.organizationId, agentId), instanceId }
  await running.service.database.stores.agentTestRuns.insert(run)
  return `${agentId} ${run.id}`
}

const agentId = expect.any(String)

export const testChanges = {
  'making tests of an agent': {
    arrange: arrangeAgent,
    method: 'POST',
    path: (id) => `/api/v1/Agent/${id}/test`,
    body,
    action: 'agent_test.create',
    resourceType: 'AgentTest',
    details: { agentId, name: 'Audited' },
  },
  'replacing tests of an agent': {
    arrange: arrangeTest,
    method: 'PUT',
    path: (ids) => pathOf(ids, 'test'),
    body: { ...body, name: 'Replaced' },
    action: 'agent_test.update',
    resourceType: 'AgentTest',
    details: { agentId, changed: ['name'] },
  },
  'deleting tests of an agent': {
    arrange: arrangeTest,
    method: 'DELETE',
    path: (ids) => pathOf(ids, 'test'),
    action: 'agent_test.delete',
    resourceType: 'AgentTest',
    resourceId: (ids) => ids.split(' ').at(-1) ?? '',
    details: { agentId, name: 'Audited' },
  },
  'starting a test run': {
    arrange: arrangeTested,
    method: 'POST',
    path: (id) => `/api/v1/Agent/${id}/test-run`,
    body: {},
    action: 'agent_test_run.start',
    resourceType: 'AgentTestRun',
    details: { agentId, tests: 1 },
  },
  'stopping a test run': {
    arrange: arrangeRun,
    method: 'POST',
    path: (ids) => `${pathOf(ids, 'test-run')}/stop`,
    action: 'agent_test_run.stop',
    resourceType: 'AgentTestRun',
    details: { agentId },
  },
} satisfies Record<string, Omit<ChangeCase, 'change'>>
