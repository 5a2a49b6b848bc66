import { findError } from './check-arguments.js'
import { isRecord } from './session-event.js'
import type { ToolDeclaration } from './ticket.js'

export type ToolArguments = Readonly<Record<string, unknown>>

/** A tool that runs in this client. The session request announces it to the agent. */
export interface ClientTool {
  readonly description: string
  /** JSON Schema of the arguments. The model's arguments are checked against it before the tool runs. */
  readonly parameters?: ToolArguments
  /** The model reads the return value: text unchanged, anything else as JSON. */
  readonly run: (given: ToolArguments, context: ToolContext) => unknown
  /** Default: 30 seconds. */
  readonly timeoutSeconds?: number
}

export interface ToolContext {
  readonly callId: string
  /** Aborted at the time limit or at the end of the session. */
  readonly signal: AbortSignal
}

export type ClientTools = Readonly<Record<string, ClientTool>>

export type ToolOutcome =
  | { readonly ok: true; readonly output: string }
  | { readonly ok: false; readonly output: string }

const emptySchema = { type: 'object', properties: {} } as const
const defaultTimeoutSeconds = 30

export function declareTools(tools: ClientTools): readonly ToolDeclaration[] {
  return Object.entries(tools).map(([name, { description, parameters = emptySchema }]) => ({
    name,
    description,
    parameters,
  }))
}

export interface ToolRun {
  readonly callId: string
  readonly argumentsText: string
  readonly sessionEnd: AbortSignal
}

/** Runs a tool once. Every failure is an output too, because a call without an output leaves the model waiting. */
export async function runTool(
  tool: ClientTool,
  { callId, argumentsText, sessionEnd }: ToolRun,
): Promise<ToolOutcome> {
  const given = readArguments(argumentsText, tool.parameters)
  if (!given.ok) return failure(given.error)
  const seconds = tool.timeoutSeconds ?? defaultTimeoutSeconds
  const timeout = AbortSignal.timeout(seconds * 1000)
  const signal = AbortSignal.any([timeout, sessionEnd])
  try {
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    const run = async () => tool.run(given.value, { callId, signal })
    return { ok: true, output: outputText(await Promise.race([run(), aborted])) }
  } catch (error) {
    if (timeout.aborted) return failure(`The tool did not finish within ${seconds} seconds.`)
    return failure(error instanceof Error ? error.message : String(error))
  }
}

type GivenArguments =
  | { readonly ok: true; readonly value: ToolArguments }
  | { readonly ok: false; readonly error: string }

function readArguments(text: string, schema: ToolArguments = emptySchema): GivenArguments {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    if (!isRecord(value)) return { ok: false, error: 'The arguments must be a JSON object.' }
    const error = findError(value, schema)
    return error === null ? { ok: true, value } : { ok: false, error }
  } catch {
    return { ok: false, error: 'The arguments are not JSON.' }
  }
}

function outputText(result: unknown): string {
  if (typeof result === 'string') return result
  return result === undefined ? 'Done.' : JSON.stringify(result)
}

function failure(message: string): ToolOutcome {
  return { ok: false, output: JSON.stringify({ error: message }) }
}
