// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** The tests to run, and the agents that help. */
export interface AgentTestRunInput {
  /** The tests to run. Null: all tests of the agent. */
  testIds?: string[] | null | undefined
  /** The agent that judges answers. Tests with `judge` are not run without it. */
  judgeAgentId?: string | null | undefined
  /** The agent that plays users with a goal. Null: the judge. */
  userAgentId?: string | null | undefined
}

/** One run of tests of an agent. */
export interface AgentTestRun {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The agent under test. */
  agentId: string
  /** Who started the run. */
  actor: {
    /**
     * The type of the actor: an API key (`api_key`), a signed-in user (`person`), the client of a realtime
     * session (`session`), an agent (`agent`), the service itself (`system`), or someone using the `parley`
     * command (`operator`).
     */
    type: 'api_key' | 'person' | 'session' | 'agent' | 'system' | 'operator'
    /** The ID of the actor. `null` if it has none. */
    id: string | null
    /** The name of the actor at the time of the action. `null` if it has none. */
    name: string | null
  }
  /** `stopped` by a caller; `failed` if the service ended before the run did. */
  state: 'running' | 'completed' | 'stopped' | 'failed'
  /** Why the run failed. Otherwise null. */
  failure: string | null
  /** When the run ended (UTC). Null: it is running. */
  endedAt: string | null
  /** The agent that judges answers. */
  judgeAgentId: string | null
  /** The agent that plays users with a goal. */
  userAgentId: string | null
  /** The number of tests in this run. */
  testCount: number
  /** The tests that have a result so far, in order. */
  results: AgentTestResult[]
}

/** One page of a list of `AgentTestRunSummary` objects. */
export type AgentTestRunSummaryPage = Page<AgentTestRunSummary>

/** One run of tests, without the conversations. */
export interface AgentTestRunSummary {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The agent under test. */
  agentId: string
  /** Who started the run. */
  actor: {
    /**
     * The type of the actor: an API key (`api_key`), a signed-in user (`person`), the client of a realtime
     * session (`session`), an agent (`agent`), the service itself (`system`), or someone using the `parley`
     * command (`operator`).
     */
    type: 'api_key' | 'person' | 'session' | 'agent' | 'system' | 'operator'
    /** The ID of the actor. `null` if it has none. */
    id: string | null
    /** The name of the actor at the time of the action. `null` if it has none. */
    name: string | null
  }
  /** `stopped` by a caller; `failed` if the service ended before the run did. */
  state: 'running' | 'completed' | 'stopped' | 'failed'
  /** Why the run failed. Otherwise null. */
  failure: string | null
  /** When the run ended (UTC). Null: it is running. */
  endedAt: string | null
  /** The agent that judges answers. */
  judgeAgentId: string | null
  /** The agent that plays users with a goal. */
  userAgentId: string | null
  /** The number of tests in this run. */
  testCount: number
  /** The tests that have a result so far, in order. */
  results: AgentTestOutcome[]
}

/** The verdict of one test, with its conversation. */
export interface AgentTestResult {
  /** The resource that defines the test. */
  testId: string
  /** The name of the test. */
  name: string
  /** `not_run` if the test has no verdict. Then `reason` says why. */
  verdict: 'passed' | 'failed' | 'not_run'
  /** The verdict of the same test in the run before. Null: it was not part of a kept run. */
  previousVerdict: 'passed' | 'failed' | 'not_run' | null
  /** How many repetitions passed. */
  passed: number
  /** How many repetitions must pass. */
  required: number
  /** How often the test ran. */
  repetitions: number
  /** The duration of all repetitions together. */
  durationMilliseconds: number
  /** Why the test has no verdict. Otherwise null. */
  reason: string | null
  /** The expectations that were not met. */
  unmet: {
    /** The name of the expectation, for example `says`. */
    expectation: string
    /** What the test expects. */
    expected: string
    /** What happened instead. */
    actual: string
  }[]
  /** The conversation, line by line: of the first repetition that did not pass, else of the first. */
  transcript: string[]
}

/** The verdict of one test. */
export interface AgentTestOutcome {
  /** The resource that defines the test. */
  testId: string
  /** The name of the test. */
  name: string
  /** `not_run` if the test has no verdict. Then `reason` says why. */
  verdict: 'passed' | 'failed' | 'not_run'
  /** The verdict of the same test in the run before. Null: it was not part of a kept run. */
  previousVerdict: 'passed' | 'failed' | 'not_run' | null
  /** How many repetitions passed. */
  passed: number
  /** How many repetitions must pass. */
  required: number
  /** How often the test ran. */
  repetitions: number
  /** The duration of all repetitions together. */
  durationMilliseconds: number
}
