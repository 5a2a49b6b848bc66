import { z } from 'zod'
import { AgentTest, AgentTestInput, AgentTestListQuery, AgentTestPage, maxAgentTests } from '../agent-test.js'
import {
  AgentTestRun,
  AgentTestRunInput,
  AgentTestRunListQuery,
  AgentTestRunPage,
  maxAgentTestRuns,
} from '../agent-test-run.js'
import { id } from '../field.js'
import { defineOperation } from '../operation.js'

const agentId = id().describe('The ID of the agent.')
const agentParams = z.strictObject({ agentId })
const testParams = z.strictObject({ agentId, agentTestId: id().describe('The ID of the tests.') })
const runParams = z.strictObject({ agentId, agentTestRunId: id().describe('The ID of the run.') })
const tests = '/api/v1/Agent/{agentId}/test'
const runs = '/api/v1/Agent/{agentId}/test-run'

export const agentTestOperations = {
  listAgentTests: defineOperation({
    operationId: 'listAgentTests',
    method: 'GET',
    path: tests,
    tag: 'AgentTest',
    summary: 'List the tests of an agent',
    scope: 'agent:read',
    params: agentParams,
    query: AgentTestListQuery,
    outcome: 'One page of the tests.',
    status: 200,
    response: AgentTestPage,
  }),
  createAgentTest: defineOperation({
    operationId: 'createAgentTest',
    method: 'POST',
    path: tests,
    tag: 'AgentTest',
    summary: 'Create tests of an agent',
    description: `An agent may have at most ${maxAgentTests} of these resources. The tests are deleted with the agent.`,
    scope: 'agent:write',
    params: agentParams,
    body: AgentTestInput,
    outcome: 'The stored tests.',
    status: 201,
    response: AgentTest,
    hasETag: true,
    errors: ['QuotaExceeded'],
  }),
  getAgentTest: defineOperation({
    operationId: 'getAgentTest',
    method: 'GET',
    path: `${tests}/{agentTestId}`,
    tag: 'AgentTest',
    summary: 'Retrieve tests of an agent',
    scope: 'agent:read',
    params: testParams,
    outcome: 'The stored tests.',
    status: 200,
    response: AgentTest,
    hasETag: true,
  }),
  replaceAgentTest: defineOperation({
    operationId: 'replaceAgentTest',
    method: 'PUT',
    path: `${tests}/{agentTestId}`,
    tag: 'AgentTest',
    summary: 'Replace tests of an agent',
    scope: 'agent:write',
    params: testParams,
    body: AgentTestInput,
    outcome: 'The updated tests.',
    status: 200,
    response: AgentTest,
    isConditional: true,
    hasETag: true,
  }),
  deleteAgentTest: defineOperation({
    operationId: 'deleteAgentTest',
    method: 'DELETE',
    path: `${tests}/{agentTestId}`,
    tag: 'AgentTest',
    summary: 'Delete tests of an agent',
    description: 'The results of earlier runs are kept.',
    scope: 'agent:write',
    params: testParams,
    outcome: 'The tests are deleted. The response has no body.',
    status: 204,
    isConditional: true,
  }),
}

export const agentTestRunOperations = {
  startAgentTestRun: defineOperation({
    operationId: 'startAgentTestRun',
    method: 'POST',
    path: runs,
    tag: 'AgentTestRun',
    summary: 'Run tests of an agent',
    description:
      'The run continues in the background. Every conversation is a rehearsal: tools are answered by the stubs of the tests, and none is called. Text tests run here; voice tests are `not_run`, because `parley test` speaks them. The caller also needs the scope `question:ask`. 409 if a run of this agent is active or there is no test.',
    scope: 'agent:write',
    params: agentParams,
    body: AgentTestRunInput,
    outcome: 'The run, which has begun.',
    status: 202,
    response: AgentTestRun,
    errors: ['Conflict'],
  }),
  listAgentTestRuns: defineOperation({
    operationId: 'listAgentTestRuns',
    method: 'GET',
    path: runs,
    tag: 'AgentTestRun',
    summary: 'List the test runs of an agent',
    description: `The newest ${maxAgentTestRuns} runs are kept.`,
    scope: 'agent:read',
    params: agentParams,
    query: AgentTestRunListQuery,
    outcome: 'One page of the runs, without the conversations.',
    status: 200,
    response: AgentTestRunPage,
  }),
  getAgentTestRun: defineOperation({
    operationId: 'getAgentTestRun',
    method: 'GET',
    path: `${runs}/{agentTestRunId}`,
    tag: 'AgentTestRun',
    summary: 'Retrieve a test run',
    scope: 'agent:read',
    params: runParams,
    outcome: 'The run, with the results so far.',
    status: 200,
    response: AgentTestRun,
  }),
  stopAgentTestRun: defineOperation({
    operationId: 'stopAgentTestRun',
    method: 'POST',
    path: `${runs}/{agentTestRunId}/stop`,
    tag: 'AgentTestRun',
    summary: 'Stop a test run',
    description: 'The results so far are kept. A run that has ended stays unchanged.',
    scope: 'agent:write',
    params: runParams,
    outcome: 'The run as it is now.',
    status: 200,
    response: AgentTestRun,
  }),
}
