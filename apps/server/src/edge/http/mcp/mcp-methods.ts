import { coversScope, errorStatus } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Caller } from '../../../domain/caller-scope.js'
import { DomainError } from '../../../domain/domain-error.js'
import { logFailure, problemOf, refusalOf } from '../answer/error-reply.js'
import { recordRefusal } from '../answer/record-refusal.js'
import type { Services } from '../services.js'
import { type Generation, negotiatedVersion, offeredVersions } from './generation.js'
import { RpcError, RpcErrorCode, type RpcMessage } from './json-rpc.js'
import type { McpTool, McpToolCall } from './mcp-tool.js'
import { makeQuestionTools } from './question-tools.js'
import { makeServiceTools } from './service-tools.js'

const instructions =
  'Agents of an organization that runs Parley. Use list_agents to list them and ask_agent to ask one. Use get_answer if an answer takes long. Use list_approvals to see calls that need the approval of a person. People decide them.'

const CallParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
})

/** A request of a client and its caller. */
export interface McpRequest extends McpToolCall {
  readonly generation: Generation
  readonly request: FastifyRequest
}

type Method = (params: NonNullable<RpcMessage['params']>, call: McpRequest) => Promise<object>

/** Returns a function that calls a protocol method. It throws an RpcError if the method is unknown. */
export function makeMcpMethods(services: Services, version: string) {
  const questionTools = makeQuestionTools(services)
  const fixedTools = [...makeServiceTools(services), ...questionTools.fixed]
  const serverInfo = { name: 'parley', title: 'Parley', version }
  const capabilities = { tools: {} }

  async function toolsFor(caller: Caller): Promise<readonly McpTool[]> {
    const taken = fixedTools.map(({ name }) => name)
    const isAsking = coversScope(caller.scopes, 'question:ask')
    return isAsking ? [...fixedTools, ...(await questionTools.ofAgents(caller, taken))] : fixedTools
  }

  async function callTool(name: string, given: unknown, call: McpRequest): Promise<object> {
    const { caller } = call
    const tool =
      fixedTools.find((each) => each.name === name) ??
      (await toolsFor(caller)).find((each) => each.name === name)
    if (tool === undefined)
      throw new RpcError(200, {
        code: RpcErrorCode.invalidParams,
        message: `Tool ${name.slice(0, 100)} not found. Use tools/list to see all tools.`,
      })
    if (!coversScope(caller.scopes, tool.scope))
      throw new DomainError('Forbidden', `${name} requires the scope ${tool.scope}, which the caller lacks.`)
    return tool.run(given, call)
  }

  const methods: Readonly<Record<Generation, Readonly<Record<string, Method>>>> = {
    greeted: {
      initialize: async ({ protocolVersion }) => ({
        protocolVersion: negotiatedVersion(protocolVersion),
        capabilities,
        serverInfo,
        instructions,
      }),
      ping: async () => ({}),
    },
    stateless: {
      'server/discover': async () => ({
        supportedVersions: offeredVersions,
        capabilities,
        instructions,
        ...cacheable,
      }),
    },
  }

  const shared: Readonly<Record<string, Method>> = {
    'tools/list': async (_params, { caller, generation }) => ({
      tools: (await toolsFor(caller))
        .filter(({ scope }) => coversScope(caller.scopes, scope))
        .map(({ name, title, description, inputSchema, annotations }) => ({
          name,
          title,
          description,
          inputSchema,
          annotations: { title, ...annotations },
        })),
      ...(generation === 'stateless' && cacheable),
    }),
    'tools/call': async (params, mcpRequest) => {
      const call = CallParams.safeParse(params)
      if (!call.success)
        throw new RpcError(200, {
          code: RpcErrorCode.invalidParams,
          message:
            'params.name is required and must be a string. params.arguments must be an object if it is given.',
        })
      const { name, arguments: given } = call.data
      try {
        return succeeded(await callTool(name, given, mcpRequest))
      } catch (error) {
        return refused(services, error, { name, call: mcpRequest })
      }
    },
  }

  return async (message: RpcMessage, call: McpRequest): Promise<object> => {
    const { generation } = call
    const own = methods[generation]
    const known = Object.hasOwn(own, message.method) ? own : shared
    const method = Object.hasOwn(known, message.method) ? known[message.method] : undefined
    if (method === undefined)
      // Clients of 2026 check the HTTP status first.
      throw new RpcError(generation === 'stateless' ? 404 : 200, {
        code: RpcErrorCode.methodNotFound,
        message: `Method ${message.method.slice(0, 100)} not found.`,
      })
    const result = await method(message.params ?? {}, call)
    return generation === 'stateless'
      ? { ...result, resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } }
      : result
  }
}

/** Tools depend on agents and scopes, so clients may cache the list only for a minute. */
const cacheable = { ttlMs: 60_000, cacheScope: 'private' } as const

function succeeded(result: object): object {
  return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result }
}

/** Returns an expected error as a result for the model. Throws an internal error as a protocol error. */
async function refused(
  services: Services,
  error: unknown,
  { name, call }: { readonly name: string; readonly call: McpRequest },
): Promise<object> {
  if (error instanceof RpcError) throw error
  const { request, caller } = call
  const cause = error instanceof Error ? error : new Error(String(error))
  const refusal = refusalOf(cause, services.database)
  logFailure(request.log, refusal, error)
  if (refusal.code === 'Forbidden')
    await recordRefusal(services, caller, {
      operation: { operationId: name.slice(0, 100), tag: 'Mcp' },
      detail: refusal.detail,
    })
  const { detail, errorCode, errors = [] } = problemOf(refusal, request.id)
  if (errorStatus[refusal.code] === 500)
    throw new RpcError(200, { code: RpcErrorCode.internal, message: `${detail} Request id: ${request.id}.` })
  const lines = errors.map(({ path, message }) => `\n${path} ${message}`)
  return {
    isError: true,
    content: [{ type: 'text', text: `${errorCode}: ${detail}${errors.length > 1 ? lines.join('') : ''}` }],
  }
}
