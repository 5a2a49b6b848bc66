import type { Variables } from '@parley/contract'
import type { AgentRecord } from '../../../ports/agent-stores.js'
import type { Log } from '../../../ports/log.js'
import type { Cipher } from '../../../ports/secrets.js'
import type { Timers } from '../../../ports/time.js'
import type {
  CallableTool,
  HttpToolExecutor,
  McpToolExecutor,
  StubAction,
  ToolAction,
  ToolCaller,
  ToolInvocation,
  ToolOutcome,
  VariableValues,
} from '../../../ports/tool-executor.js'
import { headersOf, toolAddress } from '../../agents/tool-secrets.js'
import { textsIn } from '../../end-users/agent-templates.js'
import { fillText, hasVariables, loadConversationValues } from '../../end-users/template-values.js'
import { callWithToken } from '../../mcp-authorizations/call-with-token.js'
import type { McpTokens } from '../../mcp-authorizations/mcp-tokens.js'
import { type BuiltinDependencies, runBuiltin } from './builtins.js'

interface ToolRun {
  readonly tool: CallableTool
  readonly caller: ToolCaller
  readonly arguments: Readonly<Record<string, unknown>>
  /** The values of variables in a test run, which has no conversation. */
  readonly variables?: Variables
  /** The model's id of the call. Undefined in a test run. */
  readonly callId?: string
  /** The id of the tool message. It is the same for every attempt of a call. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
}

interface ToolRunnerDependencies extends BuiltinDependencies {
  readonly cipher: Cipher
  readonly timers: Timers
  readonly log: Log
  readonly httpTools: HttpToolExecutor
  readonly mcpTools: McpToolExecutor
  readonly mcpTokens: McpTokens
}

/** Runs one tool of an agent. Never rejects, and ends within the tool's time limit. */
export type ToolRunner = (run: ToolRun) => Promise<ToolOutcome>

export function makeToolRunner(dependencies: ToolRunnerDependencies): ToolRunner {
  const { timers, log } = dependencies
  return async (run) => {
    const { timeoutSeconds, action } = run.tool
    const overdue = new AbortController()
    const signal = AbortSignal.any([run.signal, overdue.signal])
    let isSent = false
    const onSent = () => {
      isSent = true
    }
    const unanswered = (output: string): ToolOutcome =>
      isSent ? { ok: false, output, isUnknown: true } : failure(output)
    const outcome = perform(dependencies, { ...run, signal, onSent }).catch((error: unknown) => {
      log.error({ err: error, tool: run.tool.name, callMessageId: run.idempotencyKey }, 'a tool failed')
      return unanswered('The service failed to run the tool. See the server log for details.')
    })
    const inTime = await timers.within(timeoutSeconds * 1000, outcome)
    if (!inTime.ok) {
      overdue.abort()
      const seconds = timeoutSeconds === 1 ? 'second' : 'seconds'
      return judge(action, unanswered(`The tool did not respond within ${timeoutSeconds} ${seconds}.`))
    }
    const isCutOff = run.signal.aborted && !inTime.value.ok
    return judge(
      action,
      isCutOff ? unanswered('The call was cancelled while the tool was running.') : inTime.value,
    )
  }
}

/** The output of a call with an unknown outcome, for the model and for people. */
const unknownNote =
  'The call was sent, but its outcome is unknown: it may have taken effect. Do not repeat it; say that its outcome is unknown.'

/** The outcome of a call without side effects is never unknown. */
function judge(action: ToolAction, outcome: ToolOutcome): ToolOutcome {
  if (!outcome.isUnknown) return outcome
  return mayHaveEffect(action)
    ? { ...outcome, output: `${outcome.output} ${unknownNote}` }
    : failure(outcome.output)
}

type SentRun = ToolRun & Pick<ToolInvocation, 'onSent'>

async function perform(dependencies: ToolRunnerDependencies, run: SentRun): Promise<ToolOutcome> {
  const { action } = run.tool
  if (action.kind === 'subagent') return failure('A sub-agent cannot be called here.')
  if (action.kind === 'stub') {
    const { arguments: args, signal } = run
    return answerStub(dependencies.timers, action, { toolName: run.tool.name, arguments: args, signal })
  }
  if (action.kind === 'builtin') {
    // The commit of a built-in tool cannot be reverted.
    run.onSent()
    return runBuiltin(dependencies, action.tool.builtin, run.caller, run.arguments)
  }
  const opened = await openTool(dependencies, run, action.tool)
  if (opened === null)
    return failure('The tool was changed or removed from the agent after this call was made. It was not run.')
  const values = await templateValues(dependencies, run, opened)
  const headers = fillHeaders(opened.headers, values)
  if (headers === null)
    return failure('A variable has a value that a header cannot contain. The call was not sent.')
  const invocation: ToolInvocation = {
    arguments: run.arguments,
    variables: values,
    parameters: run.tool.parameters,
    headers,
    idempotencyKey: run.idempotencyKey,
    endUserId: run.caller.endUserId,
    timeoutMilliseconds: run.tool.timeoutSeconds * 1000,
    signal: run.signal,
    onSent: run.onSent,
  }
  if (action.kind === 'http') return dependencies.httpTools.run(action.tool, invocation)
  const { url, name } = action.tool.server
  const target = { organizationId: run.caller.organizationId, url, name, headers }
  return callWithToken<ToolOutcome>(dependencies.mcpTokens, target, {
    call: (called) => dependencies.mcpTools.run(called, action.serverTool, invocation),
    refuse: failure,
  })
}

interface OpenedTool {
  readonly agent: AgentRecord
  readonly tool: Extract<CallableTool['action'], { tool: unknown }>['tool']
  /** The decrypted header values, which may contain variables. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Returns the current header values. Returns null if the agent no longer has this tool with this address,
 * because the tool would then differ from the one that was offered or approved.
 */
async function openTool(
  { database, cipher }: ToolRunnerDependencies,
  { caller }: ToolRun,
  configured: Extract<CallableTool['action'], { tool: unknown }>['tool'],
): Promise<OpenedTool | null> {
  const { organizationId, agentId } = caller
  const { agents } = database.ownedBy({ organizationId, kind: 'log' }).stores
  const agent = await agents.find(organizationId, agentId)
  const current = agent?.tools.find(({ name }) => name === configured.name)
  if (!agent || !current || toolAddress(current) !== toolAddress(configured)) return null
  return { agent, tool: configured, headers: headersOf(agent, configured.name, cipher) }
}

/** Returns the values of the tool's variables. Reads the conversation only if the tool has any. */
async function templateValues(
  { database, clock }: ToolRunnerDependencies,
  { caller, variables }: ToolRun,
  { agent, tool, headers }: OpenedTool,
): Promise<VariableValues> {
  const texts = [...Object.values(headers), ...(tool.kind === 'http' ? textsIn(tool.request) : [])]
  if (!hasVariables(...texts)) return () => ''
  const { organizationId, conversationId } = caller
  const { stores } = database.ownedBy({ organizationId, kind: 'log' })
  const source = { agent, conversationId, given: variables }
  return (await loadConversationValues(clock, stores, source)).values
}

/** Returns the headers with their variables filled, or null if a value cannot be sent in a header. */
function fillHeaders(
  headers: OpenedTool['headers'],
  values: VariableValues,
): Readonly<Record<string, string>> | null {
  const filled = Object.entries(headers).map(([name, value]) => [name, fillText(value, values)] as const)
  const isSendable = filled.every(
    ([name, value]) => value === headers[name] || /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  )
  return isSendable ? Object.fromEntries(filled) : null
}

const failure = (output: string): ToolOutcome => ({ ok: false, output })

interface StubbedCall {
  readonly toolName: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

/**
 * Returns the stub's output for a call in a rehearsal, after the configured delay. Returns an error if there
 * is no stub.
 */
async function answerStub(
  timers: Timers,
  { stubs }: StubAction,
  { toolName, arguments: args, signal }: StubbedCall,
): Promise<ToolOutcome> {
  const stub = stubs.find((each) => contains(args, each.arguments))
  if (stub === undefined) return { ok: false, output: missingText(toolName, stubs.length) }
  await waitFor(timers, stub.delayMilliseconds, signal)
  return { ok: stub.error === undefined, output: stub.error ?? stub.output ?? '' }
}

function missingText(toolName: string, count: number): string {
  return count === 0
    ? `The tool ${toolName} has no stub in this rehearsal. It was not called.`
    : `No stub of ${toolName} in this rehearsal matches these arguments. The tool was not called.`
}

/** Returns whether `actual` contains all of `wanted`, at any depth. Arrays must be equal. */
function contains(actual: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(actual) &&
      actual.length === wanted.length &&
      wanted.every((each, index) => contains(actual[index], each))
    )
  if (!isFields(wanted)) return actual === wanted
  return (
    isFields(actual) &&
    Object.entries(wanted).every(
      ([name, value]) => Object.hasOwn(actual, name) && contains(actual[name], value),
    )
  )
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function waitFor(timers: Timers, milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0 || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = timers.after(milliseconds, end)
    signal.addEventListener('abort', end, { once: true })
  })
}

/** Returns whether a call may have a side effect. Returns true if this is not known. */
export function mayHaveEffect(action: ToolAction): boolean {
  switch (action.kind) {
    case 'http':
      return action.tool.request.method !== 'GET'
    case 'builtin':
      return action.tool.builtin === 'create_task'
    case 'mcp':
      return action.isReadOnly !== true
    case 'subagent':
      return true
    case 'stub':
      return action.mayHaveEffect
  }
}

/**
 * Returns the elapsed seconds with microsecond precision. Short runs are not rounded to 0, because 0 means
 * that nothing ran.
 */
export function executionSeconds(timers: Timers, startedAt: number): number {
  return Math.round((timers.monotonic() - startedAt) * 1000) / 1_000_000
}
