import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'

/*
 * The protocol as it is since 2026: nobody introduces themselves, every request says all of itself, in its body and,
 * over HTTP, in headers besides. https://modelcontextprotocol.io/specification/2026-07-28
 */

export const statelessVersion = '2026-07-28'

const versionKey = 'io.modelcontextprotocol/protocolVersion'
const clientKey = 'io.modelcontextprotocol/clientInfo'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

/** What a server answers that is asked what it speaks. */
export const Discovery = z.looseObject({
  supportedVersions: z.array(z.string()),
  capabilities: z.looseObject({}),
})

/** A request as servers of this generation want it. */
export function withEnvelope(request: JSONRPCRequest, client: object): JSONRPCRequest {
  const envelope = { [versionKey]: statelessVersion, [clientKey]: client, [capabilitiesKey]: {} }
  const meta = { ...request.params?._meta, ...envelope }
  return { ...request, params: { ...request.params, _meta: meta } }
}

/** Whether a request is of this generation. */
export const hasEnvelope = ({ params }: JSONRPCRequest) => params?._meta?.[versionKey] !== undefined

/** What the headers of such a request say: what its body says, for whoever stands between. */
export function standardHeaders({ method, params }: JSONRPCRequest): Record<string, string> {
  const name = params?.name
  return {
    'mcp-protocol-version': statelessVersion,
    'mcp-method': method,
    ...(method === 'tools/call' && typeof name === 'string' && { 'mcp-name': headerValue(name) }),
  }
}

/** A text as headers carry it: as it is, or in an encoding where a header could not. */
export function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
}

const ResultKind = z.object({ resultType: z.string() })

/** Whether a server wants something of us before it goes on; agents have nobody whom they could ask for it. */
export function wantsInput(result: unknown): boolean {
  const kind = ResultKind.safeParse(result)
  return kind.success && kind.data.resultType !== 'complete'
}
