import { TaskInput } from '@parley/contract'
import type { Database } from '../../../ports/database.js'
import type { Clock } from '../../../ports/time.js'
import type { BuiltinTool, ToolCaller, ToolOutcome } from '../../../ports/tool-executor.js'
import { DomainError } from '../../domain-error.js'
import { searchConversationFiles } from '../../files/passages.js'
import type { Tasks } from '../../tasks/tasks.js'

export interface BuiltinDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly tasks: Tasks
}

type Arguments = Readonly<Record<string, unknown>>
type Builtin = (
  dependencies: BuiltinDependencies,
  caller: ToolCaller,
  args: Arguments,
) => Promise<ToolOutcome> | ToolOutcome

const builtins: Readonly<Record<BuiltinTool['builtin'], Builtin>> = {
  current_time: ({ clock }, _caller, { timeZone }) => describeTime(clock.now(), textOr(timeZone, 'UTC')),
  create_task: createTask,
  search_files: searchFiles,
}

/** Runs a built-in tool. */
export function runBuiltin(
  dependencies: BuiltinDependencies,
  name: BuiltinTool['builtin'],
  caller: ToolCaller,
  args: Arguments,
): Promise<ToolOutcome> | ToolOutcome {
  return builtins[name](dependencies, caller, args)
}

/**
 * The formats are cached, because creating one takes 0.2 ms, and a model may request the time two thousand
 * times at once.
 */
const timeFormats = new Map<string, Intl.DateTimeFormat>()
const maxTimeFormats = 100

/** Throws if the time zone is invalid. */
function timeFormatOf(timeZone: string): Intl.DateTimeFormat {
  const known = timeFormats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone })
  if (timeFormats.size >= maxTimeFormats) timeFormats.clear()
  timeFormats.set(timeZone, format)
  return format
}

function describeTime(now: Date, timeZone: string): ToolOutcome {
  try {
    // The output is a full sentence, because it may be read aloud.
    return { ok: true, output: `It is ${timeFormatOf(timeZone).format(now)} (${timeZone}).` }
  } catch {
    return { ok: false, output: `${timeZone} is not a valid time zone. Use a name such as Europe/Berlin.` }
  }
}

/** A task that was created by an agent runs only when a person or another system starts it. */
const runsLater = { runAt: null, schedule: null }

async function createTask(
  { database, tasks }: BuiltinDependencies,
  { organizationId, agentId, agentName, conversationId }: ToolCaller,
  args: Arguments,
): Promise<ToolOutcome> {
  const input = TaskInput.safeParse(args)
  if (!input.success) {
    const problems = input.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
    return { ok: false, output: `The task was not created: ${problems.join('; ')}.` }
  }
  const caller = {
    organizationId,
    actor: { type: 'agent', id: agentId, name: agentName },
    scopes: [],
    expiresAt: null,
    ipAddress: null,
    requestId: null,
  } as const
  try {
    const task = await database
      .ownedBy({ organizationId, kind: 'log' })
      .transaction((stores) =>
        tasks.create({ stores, caller }, { ...input.data, ...runsLater }, conversationId),
      )
    const { id, title, status, dueAt } = task
    return { ok: true, output: JSON.stringify({ id, title, status, dueAt }) }
  } catch (error) {
    if (error instanceof DomainError)
      return { ok: false, output: `The task was not created: ${error.detail}` }
    throw error
  }
}

async function searchFiles(
  { database, clock }: BuiltinDependencies,
  { organizationId, conversationId }: ToolCaller,
  { query }: Arguments,
): Promise<ToolOutcome> {
  // A test run of a tool has no conversation.
  if (conversationId === null) return { ok: true, output: 'This conversation has no files.' }
  const now = clock.now().toISOString()
  const { stores } = database.ownedBy({ organizationId, kind: 'log' })
  const output = await searchConversationFiles(stores, conversationId, textOr(query, ''), now)
  return { ok: true, output }
}

const textOr = (value: unknown, fallback: string) =>
  typeof value === 'string' && value !== '' ? value : fallback
