import type { FastifyReply, FastifyRequest } from 'fastify'
import { disconnectSignal } from '../answer/event-stream.js'
import { generationOf } from '../mcp/generation.js'
import {
  accepted,
  errorAnswer,
  type RpcAnswer,
  RpcError,
  RpcErrorCode,
  RpcMessage,
  RpcResponse,
  resultAnswer,
} from '../mcp/json-rpc.js'
import { makeMcpMethods } from '../mcp/mcp-methods.js'
import { findUnstorable } from '../request/validation.js'
import { type App, callerOf, type Services } from '../services.js'

const mcpPath = '/mcp'

/**
 * Registers the service as an MCP server with streamable HTTP. Every response is one JSON body. Requests
 * share no state, so any instance can respond. The server offers neither streams nor sessions: GET and DELETE
 * return 405.
 */
export function registerMcpRoutes(app: App, services: Services, version: string): void {
  const callMethod = makeMcpMethods(services, version)

  async function answerTo(body: unknown, request: FastifyRequest, reply: FastifyReply): Promise<RpcAnswer> {
    const parsed = RpcMessage.safeParse(body)
    if (!parsed.success) {
      if (RpcResponse.safeParse(body).success) return accepted
      const message = 'The body must be one JSON-RPC 2.0 request or notification.'
      return errorAnswer(null, new RpcError(400, { code: RpcErrorCode.invalidRequest, message }))
    }
    const message = parsed.data
    try {
      const unstorable = findUnstorable(message.params)
      if (unstorable !== null)
        throw new RpcError(400, {
          code: RpcErrorCode.invalidParams,
          message: `params.${unstorable.path} ${unstorable.message}.`,
        })
      const generation = generationOf(message, request.headers)
      if (message.id === undefined) return accepted
      const call = { generation, request, caller: callerOf(request), disconnected: disconnectSignal(reply) }
      return resultAnswer(message.id, await callMethod(message, call))
    } catch (error) {
      if (error instanceof RpcError) return errorAnswer(message.id, error)
      throw error
    }
  }

  app.post(mcpPath, { config: { isMcp: true } }, async (request, reply) => {
    const { status, body } = await answerTo(request.body, request, reply)
    return body === null ? reply.code(status).send() : reply.code(status).send(body)
  })
}
