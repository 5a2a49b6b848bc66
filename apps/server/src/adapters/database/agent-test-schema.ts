import type { AgentTest, AgentTestResult, AgentTestRun } from '@parley/contract'
import { sql } from 'drizzle-orm'
import { index, integer, json, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { agent, moment, resourceColumns } from './schema.js'

const agentId = () =>
  uuid('agent_id')
    .notNull()
    .references(() => agent.id, { onDelete: 'cascade' })

/** Tests of agents, in the format of test files. */
export const agentTest = pgTable(
  'agent_test',
  {
    ...resourceColumns,
    agentId: agentId(),
    name: text().notNull(),
    definition: text().notNull(),
    tests: json().$type<AgentTest['tests']>().notNull(),
  },
  (table) => [
    index('agent_test_organization').on(table.organizationId, table.id),
    index('agent_test_agent').on(table.agentId),
  ],
)

export const agentTestRun = pgTable(
  'agent_test_run',
  {
    ...resourceColumns,
    agentId: agentId(),
    actor: json().$type<AgentTestRun['actor']>().notNull(),
    state: text().$type<AgentTestRun['state']>().notNull(),
    failure: text(),
    endedAt: moment('ended_at'),
    judgeAgentId: uuid('judge_agent_id'),
    userAgentId: uuid('user_agent_id'),
    testCount: integer('test_count').notNull(),
    instanceId: uuid('instance_id').notNull(),
  },
  (table) => [
    index('agent_test_run_organization').on(table.organizationId, table.id),
    index('agent_test_run_agent').on(table.agentId, table.id),
    uniqueIndex('agent_test_run_running').on(table.agentId).where(sql`state = 'running'`),
  ],
)

export const agentTestResult = pgTable(
  'agent_test_result',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => agentTestRun.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    testId: uuid('test_id').notNull(),
    name: text().notNull(),
    verdict: text().$type<AgentTestResult['verdict']>().notNull(),
    previousVerdict: text('previous_verdict').$type<AgentTestResult['verdict']>(),
    passed: integer().notNull(),
    required: integer().notNull(),
    repetitions: integer().notNull(),
    durationMilliseconds: integer('duration_milliseconds').notNull(),
    reason: text(),
    unmet: json().$type<AgentTestResult['unmet']>().notNull(),
    transcript: json().$type<string[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.position] })],
)
