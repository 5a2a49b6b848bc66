import { z } from 'zod'

/** The codes of JSON-RPC, and those that MCP has added. */
export const RpcErrorCode = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

const RequestId = z.union([z.string().max(1000), z.int()])

/** A request, or a notification where it has no id. */
export const RpcMessage = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: RequestId.optional(),
  method: z.string().max(200),
  params: z.looseObject({ _meta: z.looseObject({}).optional() }).optional(),
})

export type RpcMessage = z.output<typeof RpcMessage>

/** What a client sends in return to a request, of which it gets none here. */
export const RpcResponse = z
  .looseObject({ jsonrpc: z.literal('2.0'), id: RequestId })
  .refine((message) => 'result' in message || 'error' in message)

/** What is answered: an HTTP status and a body, or none to a notification. */
export interface RpcAnswer {
  readonly status: number
  readonly body: object | null
}

export interface RpcFailure {
  readonly code: number
  readonly message: string
  readonly data?: object
}

/** A request that gets no result; `status` is that of HTTP, which clients of 2026 read first. */
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

/** What was understood and needs no answer. */
export const accepted: RpcAnswer = { status: 202, body: null }
