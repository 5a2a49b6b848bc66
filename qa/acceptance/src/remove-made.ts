import { type Parley, PermissionError } from '@parley/sdk'
import type { Run } from './run.js'

export interface Removal {
  readonly removed: number
  /** What could not be removed, and why. */
  readonly left: readonly string[]
}

interface Made {
  readonly what: string
  remove(): PromiseLike<unknown>
}

/** More than a run can make. */
const maxListed = 1000

/**
 * Removes what the run has made: what is found under its name, so that nothing is missed whose creation was not answered. The
 * conversations of its agents go with them.
 */
export async function removeMade(parley: Parley, { name }: Run): Promise<Removal> {
  const left: string[] = []
  let removed = 0
  for (const list of [conversations, agents, tasks, files, keys]) {
    const found = await list(parley, name).catch((error: unknown): Made[] => {
      // What the key may not read it could not make either.
      if (!(error instanceof PermissionError)) left.push(`${list.name} were not found: ${wordsOf(error)}`)
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

/** All of them before the first is removed, which would move the others up. */
async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) {
    items.push(item)
    if (items.length === maxListed) break
  }
  return items
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
