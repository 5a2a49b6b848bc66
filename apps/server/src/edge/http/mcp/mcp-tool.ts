import { fieldErrorsOf, type Scope } from '@parley/contract'
import { z } from 'zod'
import type { Caller, CallerScope } from '../../../domain/caller-scope.js'
import { invalidRequest } from '../../../domain/domain-error.js'
import type { Database } from '../../../ports/database.js'

/** What a client is told of a tool's effects, for it to ask its user or not. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** Tools that only look. */
export const onlyReads: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** Tools that add something; whoever adds twice has two. */
export const adds: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}

/** Tools that set agents to work, who may do whatever their own tools do. */
export const setsToWork: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
}

export interface McpToolCall {
  readonly caller: Caller
  /** Aborts when the client has left. */
  readonly left: AbortSignal
}

/** A tool as MCP clients see it. */
export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly annotations: ToolAnnotations
  /** What the caller must be allowed to do; tools that they may not use are not shown to them. */
  readonly scope: Scope
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** Throws a DomainError where the arguments are wrong or the domain refuses. */
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
    // Worked out when a client lists the tools: a start need not wait for it.
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

/** The tools of a hundred agents have one schema. */
const jsonSchemas = new WeakMap<z.ZodType, McpTool['inputSchema']>()

function jsonSchemaOf(input: z.ZodType): McpTool['inputSchema'] {
  const known = jsonSchemas.get(input)
  if (known !== undefined) return known
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' })
  jsonSchemas.set(input, schema)
  return schema
}

/** How tools reach the database: in turn with the other calls of their organization, like every call of the API. */
export function makeCallerStores(database: Database) {
  return {
    read: <Result>(caller: Caller, work: (scope: CallerScope) => Promise<Result>): Promise<Result> =>
      database.runFairly({ organizationId: caller.organizationId, kind: 'call' }, () =>
        work({ stores: database.stores, caller }),
      ),

    /** One transaction, together with its audit records. */
    write: <Result>(caller: Caller, work: (scope: CallerScope) => Promise<Result>): Promise<Result> =>
      database.runFairly({ organizationId: caller.organizationId, kind: 'call' }, () =>
        database.transaction((stores) => work({ stores, caller })),
      ),

    /** For work that does more than ask the database: each of its statements takes its turn. */
    scopeOf: (caller: Caller): CallerScope => ({
      stores: database.ownedBy({ organizationId: caller.organizationId, kind: 'call' }).stores,
      caller,
    }),
  }
}
