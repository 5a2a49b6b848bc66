import type { Agent, Task } from '@parley/contract'
import { expect } from 'vitest'
import type { ApiClient } from '../api-client.js'
import { type ServiceInUse, useService } from '../http/use-service.js'
import { makeTestClock, type TestClock } from '../test-clock.js'

export const taskPath = '/api/v1/Task'
export const at = (task: { readonly id: string }) => `${taskPath}/${task.id}`
export const external = (externalId: string) => `${taskPath}/external/${encodeURIComponent(externalId)}`

/** The fields of a task that was created with only a title. */
export const taskDefaults = {
  responseSchema: null,
  output: null,
  externalUserId: null,
  metadata: {},
  variables: {},
  description: null,
  status: 'open',
  agentId: null,
  conversationId: null,
  externalId: null,
  priority: 'normal',
  dueAt: null,
  result: null,
  schedule: null,
  timeZone: 'UTC',
  maxAttempts: 3,
  runAt: null,
  runDeadlineAt: null,
  sourceConversationId: null,
  turnId: null,
  channel: 'text',
  to: null,
  from: null,
  phoneCallId: null,
  attempts: 0,
  statusDetail: null,
  runStartedAt: null,
  nextRunAt: null,
  missedRuns: 0,
}

export interface TaskService {
  readonly clock: TestClock
  readonly http: ServiceInUse
  create(fields?: object, by?: ApiClient): Promise<Task>
  createAgent(by?: ApiClient): Promise<Agent>
}

export function useTaskService(): TaskService {
  const clock = makeTestClock()
  const http = useService({ clock })
  return {
    clock,
    http,
    async create(fields = {}, by = http.client) {
      const { status, body, text } = await by.call<Task>('POST', taskPath, {
        body: { title: 'Task', ...fields },
      })
      expect(status, text).toBe(201)
      return body
    },
    async createAgent(by = http.client) {
      return (await by.call<Agent>('POST', '/api/v1/Agent', { body: { name: 'Agent' } })).body
    },
  }
}
