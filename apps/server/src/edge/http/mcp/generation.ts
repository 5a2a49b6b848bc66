import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { RpcError, RpcErrorCode, type RpcMessage } from './json-rpc.js'

/** What is spoken: since 2026 each request says all of itself, before that a client introduces itself first. */
export type Generation = 'stateless' | 'greeted'

const statelessVersions: readonly string[] = ['2026-07-28']
/** The newest first. */
const greetedVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

const versionKey = 'io.modelcontextprotocol/protocolVersion'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

/** What a request of 2026 and later says of its sender. */
const Envelope = z.looseObject({ [versionKey]: z.string(), [capabilitiesKey]: z.looseObject({}) })

/** The version of a greeting's answer: the wanted one where it is known, else the newest of its kind. */
export function greetedVersion(wanted: unknown): string {
  const known = greetedVersions.find((version) => version === wanted)
  return known ?? greetedVersions[0] ?? ''
}

export const offeredVersions = statelessVersions

/**
 * Which generation a message belongs to. The body decides, and headers must say the same: proxies act on headers. Throws
 * what the specification says of a message that contradicts itself.
 */
export function generationOf(message: RpcMessage, headers: IncomingHttpHeaders): Generation {
  const meta = message.params?._meta ?? {}
  const headerVersion = textOf(headers['mcp-protocol-version'])
  if (!(versionKey in meta)) {
    if (headerVersion !== null && isStateless(headerVersion) && message.id !== undefined)
      throw new RpcError(400, {
        code: RpcErrorCode.invalidParams,
        message: `params._meta must hold ${versionKey} and ${capabilitiesKey}.`,
      })
    requireGreetedVersion(headerVersion)
    return 'greeted'
  }
  const envelope = Envelope.safeParse(meta)
  if (!envelope.success)
    throw new RpcError(400, {
      code: RpcErrorCode.invalidParams,
      message: `params._meta must hold ${versionKey}, a text, and ${capabilitiesKey}, an object.`,
    })
  const version = String(envelope.data[versionKey])
  if (!isStateless(version)) throw unsupported(version)
  if (message.id !== undefined) requireHeaders(message, version, headers)
  return 'stateless'
}

const isStateless = (version: string) => statelessVersions.includes(version)

/** A version that nobody knows is refused; none at all is a client of before there was the header. */
function requireGreetedVersion(version: string | null): void {
  if (version !== null && !greetedVersions.includes(version) && !isStateless(version))
    throw unsupported(version)
}

function unsupported(requested: string): RpcError {
  return new RpcError(400, {
    code: RpcErrorCode.unsupportedVersion,
    message: `Protocol version ${requested.slice(0, 50)} is not spoken here.`,
    data: { supported: [...statelessVersions, ...greetedVersions], requested: requested.slice(0, 50) },
  })
}

function requireHeaders({ method, params }: RpcMessage, version: string, headers: IncomingHttpHeaders): void {
  const wanted = [
    ['MCP-Protocol-Version', version],
    ['Mcp-Method', method],
    ...(method === 'tools/call' && typeof params?.name === 'string' ? [['Mcp-Name', params.name]] : []),
  ]
  for (const [name = '', value = ''] of wanted) {
    const sent = decoded(textOf(headers[name.toLowerCase()]))
    if (sent !== value)
      throw new RpcError(400, {
        code: RpcErrorCode.headerMismatch,
        message: `The header ${name} must say what the body says.`,
      })
  }
}

/** A value that is no plain text of a header comes as `=?base64?…?=`. */
function decoded(value: string | null): string | null {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value ?? '') ?? []
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8')
}

function textOf(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? value.trim() : null
}
