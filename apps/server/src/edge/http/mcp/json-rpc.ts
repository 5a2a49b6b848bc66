import { z } from 'zod'

/** The error codes of JSON-RPC and those that MCP adds. */
export const RpcErrorCode = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

const RequestId = z.union([z.string().max(1000), z.int()])

/** A request, or a notification if it has no id. */
export const RpcMessage = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: RequestId.optional(),
  method: z.string().max(200),
  params: z.looseObject({ _meta: z.looseObject({}).optional() }).optional(),
})

export type RpcMessage = z.output<typeof RpcMessage>

/** A client's response to a request. The service never sends requests to clients. */
export const RpcResponse = z
  .looseObject({ jsonrpc: z.literal('2.0'), id: RequestId })
  .refine((message) => 'result' in message || 'error' in message)

/** The HTTP status and the body of a response. Notifications get no body. */
export interface RpcAnswer {
  readonly status: number
  readonly body: object | null
}

export interface RpcFailure {
  readonly code: number
  readonly message: string
  readonly data?: object
}

/** The error response to a request. `status` is the HTTP status, which clients of 2026 check first. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly status: number
  readonly failure: RpcFailure

  constructor(status: number, failure: RpcFailure) {
    super(failure.message)
    this.status = status
    this.failure = failure
  }
}

export function resultAnswer(id: RpcMessage['id'], result: object): RpcAnswer {
  return { status: 200, body: { jsonrpc: '2.0', id, result } }
}

export function errorAnswer(id: RpcMessage['id'] | null, { status, failure }: RpcError): RpcAnswer {
  return { status, body: { jsonrpc: '2.0', id: id ?? null, error: failure } }
}

/** The response to a valid message that requires no result. */
export const accepted: RpcAnswer = { status: 202, body: null }
