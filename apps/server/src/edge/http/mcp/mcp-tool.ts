import { fieldErrorsOf, type Scope } from '@parley/contract'
import { z } from 'zod'
import type { Caller, CallerScope } from '../../../domain/caller-scope.js'
import { invalidRequest } from '../../../domain/domain-error.js'
import type { Database } from '../../../ports/database.js'

/** Hints about the effects of a tool, so that a client can decide whether to ask its user. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** For tools that only read. */
export const readOnly: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** For tools that create something. Calling them twice creates two. */
export const createsData: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}

/** For tools that start agents, whose own tools may have any effect. */
export const startsAgents: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
}

export interface McpToolCall {
  readonly caller: Caller
  /** Aborts when the client disconnects. */
  readonly disconnected: AbortSignal
}

/** A tool as MCP clients see it. */
export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly annotations: ToolAnnotations
  /** The scope that the caller needs. Tools are hidden from callers without it. */
  readonly scope: Scope
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** Throws a DomainError if the arguments are invalid or the domain rejects the call. */
  run(given: unknown, call: McpToolCall): Promise<object>
}

export interface McpToolDefinition<Input extends z.ZodType> extends Omit<McpTool, 'inputSchema' | 'run'> {
  readonly input: Input
  run(input: z.output<Input>, call: McpToolCall): Promise<object>
}

export function defineMcpTool<Input extends z.ZodType>({
  input,
  run,
  ...shown
}: McpToolDefinition<Input>): McpTool {
  return {
    ...shown,
    // Built when a client lists the tools, to keep the start fast.
    get inputSchema() {
      return jsonSchemaOf(input)
    },
    async run(given, call) {
      const parsed = input.safeParse(given ?? {})
      if (!parsed.success) throw invalidRequest(fieldErrorsOf(parsed.error))
      return run(parsed.data, call)
    },
  }
}

/**
 * The JSON schemas are cached separately from the tool descriptions, because the tools of many agents share
 * one schema.
 */
const jsonSchemas = new WeakMap<z.ZodType, McpTool['inputSchema']>()

function jsonSchemaOf(input: z.ZodType): McpTool['inputSchema'] {
  const known = jsonSchemas.get(input)
  if (known !== undefined) return known
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' })
  jsonSchemas.set(input, schema)
  return schema
}

/**
 * Gives tools access to the database. Their calls are queued together with the organization's other calls,
 * like those of the API.
 */
export function makeCallerStores(database: Database) {
  return {
    read: <Result>(caller: Caller, work: (scope: CallerScope) => Promise<Result>): Promise<Result> =>
      database.runFairly({ organizationId: caller.organizationId, kind: 'call' }, () =>
        work({ stores: database.stores, caller }),
      ),

    /** Runs one transaction, together with its audit records. */
    write: <Result>(caller: Caller, work: (scope: CallerScope) => Promise<Result>): Promise<Result> =>
      database.runFairly({ organizationId: caller.organizationId, kind: 'call' }, () =>
        database.transaction((stores) => work({ stores, caller })),
      ),

    /** For work that does more than query the database. Each of its statements waits for its own slot. */
    scopeOf: (caller: Caller): CallerScope => ({
      stores: database.ownedBy({ organizationId: caller.organizationId, kind: 'call' }).stores,
      caller,
    }),
  }
}
