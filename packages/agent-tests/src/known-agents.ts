import { FileErrors } from '@parley/agents-as-code'
import type { Agent, Parley } from '@parley/sdk'
import { UsageError } from '@parley/terminal'
import type { PlannedTest } from './test-plan.js'

const pageSize = 200

/** Finds agents by the names that files and options use. */
export class KnownAgents {
  readonly #agents: readonly Agent[]

  private constructor(agents: readonly Agent[]) {
    this.#agents = agents
  }

  static async read(parley: Parley): Promise<KnownAgents> {
    const agents: Agent[] = []
    for await (const agent of parley.agents.list({ Limit: pageSize })) agents.push(agent)
    return new KnownAgents(agents)
  }

  get(id: string): Agent | undefined {
    return this.#agents.find((agent) => agent.id === id)
  }

  /**
   * Finds an agent by external id, id or name. If several have the same name, those that files manage come
   * first.
   */
  find(name: string): Agent | null {
    const exact = this.#agents.find(({ externalId, id }) => externalId === name || id === name)
    if (exact !== undefined) return exact
    const named = this.#agents.filter((agent) => agent.name === name)
    const kept = named.filter(({ managedBy }) => managedBy !== null)
    const [found = null, ...others] = kept.length > 0 ? kept : named
    if (others.length > 0)
      throw new UsageError(
        `${named.length} agents have the name ${name}. Use the external id of the one you mean.`,
      )
    return found
  }

  /** Returns the agent that an option names, or null if the option is not set. */
  findOption(option: string, name: string | undefined): string | null {
    if (name === undefined) return null
    const agent = this.find(name)
    if (agent === null) throw new UsageError(`${option} ${name}: agent not found.`)
    return agent.id
  }

  /** Throws for all files whose agent is missing. */
  findTested(tests: readonly PlannedTest[]): ReadonlyMap<PlannedTest, string> {
    const missing = tests.filter(({ agent }) => this.find(agent) === null)
    const byFile = new Map(missing.map((test) => [test.file, test]))
    if (byFile.size > 0)
      throw new FileErrors(
        [...byFile.values()].map(({ agent, describeMissing }) =>
          describeMissing(`is ${agent}, and this agent was not found. ${this.#namesThere()}`),
        ),
      )
    return new Map(tests.map((test) => [test, this.find(test.agent)?.id ?? '']))
  }

  #namesThere(): string {
    const names = this.#agents.slice(0, 20).map(({ externalId, name }) => externalId ?? name)
    return `Known agents: ${names.join(', ')}.`
  }
}
