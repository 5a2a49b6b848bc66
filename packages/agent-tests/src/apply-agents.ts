import {
  applyPlan,
  type Environment,
  findFiles,
  makePlan,
  readDesiredState,
  readSource,
  readYamlFile,
  type Variables,
} from '@parley/agents-as-code'
import type { Parley } from '@parley/sdk'

export interface AgentFiles {
  readonly url: string
  readonly organizationId: string
  readonly paths: readonly string[]
  readonly variables: Variables
  /** Whether the real providers are called, so that their keys must be set. */
  readonly areKeysNeeded: boolean
}

/** Creates the agents of the files and their connections in a service that exists only for these tests. */
export async function applyAgents(parley: Parley, files: AgentFiles): Promise<void> {
  const { url, organizationId, paths } = files
  const desired = await readDesiredState(paths, await variablesFor(files))
  // Leaves out webhooks and budgets: tests send no notifications and have no budget.
  const entries = desired.entries.filter(({ kind }) => kind === 'connections' || kind === 'agents')
  const plan = await makePlan(parley, {
    url,
    organizationId,
    desired: { ...desired, entries },
    isPruning: false,
    isTakingOver: false,
  })
  await applyPlan(parley, plan, () => undefined)
}

/** Returns the API keys of the connections, by external id. */
export async function readConnectionKeys(files: AgentFiles): Promise<ReadonlyMap<string, string>> {
  const variables = await variablesFor(files)
  const outcomes = await Promise.all(
    (await findFiles(files.paths)).map((file) => readSource(file, variables)),
  )
  const connections = outcomes.flatMap((outcome) =>
    outcome.ok ? Object.entries(outcome.file.content.connections) : [],
  )
  return new Map(
    connections.flatMap(([externalId, { apiKey }]) => (apiKey ? [[externalId, apiKey] as const] : [])),
  )
}

const placeholder = 'not-set'

/** Replaces missing variables with a placeholder. Tests call no tools, so their secrets are not needed. */
async function variablesFor({ paths, variables, areKeysNeeded }: AgentFiles): Promise<Variables> {
  const names = new Set<string>()
  for (const file of await findFiles(paths)) {
    const read = await readYamlFile(file)
    if (!read.ok || typeof read.file.written !== 'object' || read.file.written === null) continue
    for (const [part, value] of Object.entries(read.file.written)) {
      if (part === 'connections' && areKeysNeeded) continue
      for (const [, name] of JSON.stringify(value).matchAll(/\$\{env:([A-Za-z_]\w*)\}/g))
        if (name !== undefined) names.add(name)
    }
  }
  const placeholders = Object.fromEntries([...names].map((name) => [name, placeholder]))
  return { ...variables, environment: { ...placeholders, ...withoutEmpty(variables.environment) } }
}

function withoutEmpty(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
}
