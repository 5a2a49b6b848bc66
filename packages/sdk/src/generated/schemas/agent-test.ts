// Generated from the contract by `npm run generate`. Do not edit.

import type { Page } from '../../rest/page.js'

/** One page of a list of `AgentTest` objects. */
export type AgentTestPage = Page<AgentTest>

/** Tests of an agent, written like a test file. */
export interface AgentTest {
  /** The ID of the resource (UUID v7). */
  id: string
  /** When the resource was created (UTC). */
  createdAt: string
  /** When the resource was last updated (UTC). */
  updatedAt: string
  /** The agent under test. */
  agentId: string
  /** The name of these tests. */
  name: string
  /**
   * YAML or JSON text in the format of test files (`/schema/agent-tests.json`). `agent` may be left out, and
   * environment variables are not available. Mistakes are reported with line and column.
   */
  definition: string
  /** The tests of the definition, in order. */
  tests: {
    /** The name of the test, unique in the definition. */
    name: string
    /** How the user speaks. */
    channel: 'text' | 'voice'
  }[]
}

/** The body that creates or replaces tests of an agent. */
export interface AgentTestInput {
  /** The name of these tests. */
  name: string
  /**
   * YAML or JSON text in the format of test files (`/schema/agent-tests.json`). `agent` may be left out, and
   * environment variables are not available. Mistakes are reported with line and column.
   */
  definition: string
}
