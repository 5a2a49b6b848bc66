import { type Parley, PermissionError } from '@parley/sdk'
import type { Run } from './run.js'

export interface Removal {
  readonly removed: number
  /** The resources that could not be removed, with the reasons. */
  readonly left: readonly string[]
}

interface Made {
  readonly what: string
  remove(): PromiseLike<unknown>
}

/** More than a run can create. */
const maxListed = 1000

/**
 * Removes everything that the run created. It searches by name, so it also finds resources whose create request got no
 * response. An agent's conversations are removed with the agent.
 */
export async function removeMade(parley: Parley, { name }: Run): Promise<Removal> {
  const left: string[] = []
  let removed = 0
  for (const list of [conversations, agents, tasks, files, keys]) {
    const found = await list(parley, name).catch((error: unknown): Made[] => {
      // A key without read access cannot have created any.
      if (!(error instanceof PermissionError)) left.push(`Could not list ${list.name}: ${wordsOf(error)}`)
      return []
    })
    for (const { what, remove } of found)
      await remove().then(
        () => {
          removed += 1
        },
        (error: unknown) => void left.push(`${what}: ${wordsOf(error)}`),
      )
  }
  return { removed, left }
}

async function agents(parley: Parley, name: string): Promise<Made[]> {
  const found = (await all(parley.agents.list({ Search: name }))).filter((agent) => isOf(name, agent.name))
  return found.map(({ id }) => ({ what: `Agent ${id}`, remove: () => parley.agents.delete(id) }))
}

async function conversations(parley: Parley, name: string): Promise<Made[]> {
  const made: Made[] = []
  for (const agent of await all(parley.agents.list({ Search: name })))
    if (isOf(name, agent.name))
      for (const { id } of await all(parley.conversations.list({ AgentId: agent.id })))
        made.push({ what: `Conversation ${id}`, remove: () => parley.conversations.delete(id) })
  return made
}

async function tasks(parley: Parley, name: string): Promise<Made[]> {
  const found = (await all(parley.tasks.list({ Search: name }))).filter(({ title }) => isOf(name, title))
  return found.map(({ id }) => ({ what: `Task ${id}`, remove: () => parley.tasks.delete(id) }))
}

async function files(parley: Parley, name: string): Promise<Made[]> {
  const found = (await all(parley.temporaryFiles.list({ Search: name }))).filter((file) =>
    isOf(name, file.name),
  )
  return found.map(({ id }) => ({
    what: `TemporaryFile ${id}`,
    remove: () => parley.temporaryFiles.delete(id),
  }))
}

async function keys(parley: Parley, name: string): Promise<Made[]> {
  const found = (await all(parley.apiKeys.list())).filter((key) => isOf(name, key.name))
  return found.map(({ id }) => ({ what: `ApiKey ${id}`, remove: () => parley.apiKeys.delete(id) }))
}

const isOf = (name: string, given: string) => given.startsWith(name)

/** Lists all pages before the first removal, because removals shift the pages. */
async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) {
    items.push(item)
    if (items.length === maxListed) break
  }
  return items
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
