import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { RpcError, RpcErrorCode, type RpcMessage } from './json-rpc.js'

/**
 * The generation of the protocol. Since 2026, each request describes its sender. In earlier versions, a
 * client starts with `initialize`.
 */
export type Generation = 'stateless' | 'greeted'

const statelessVersions: readonly string[] = ['2026-07-28']
/** Newest first. */
const negotiatedVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

const versionKey = 'io.modelcontextprotocol/protocolVersion'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

/** The metadata of a request from 2026 or later. */
const Envelope = z.looseObject({ [versionKey]: z.string(), [capabilitiesKey]: z.looseObject({}) })

/**
 * Returns the version for the response to `initialize`, which is the requested one if it is known, and
 * otherwise the newest one.
 */
export function negotiatedVersion(wanted: unknown): string {
  const known = negotiatedVersions.find((version) => version === wanted)
  return known ?? negotiatedVersions[0] ?? ''
}

export const offeredVersions = statelessVersions

/**
 * Returns the generation of a message. The body decides, but the headers must match because proxies act on
 * them. Throws the errors of the specification if they contradict each other.
 */
export function generationOf(message: RpcMessage, headers: IncomingHttpHeaders): Generation {
  const meta = message.params?._meta ?? {}
  const headerVersion = textOf(headers['mcp-protocol-version'])
  if (!(versionKey in meta)) {
    if (headerVersion !== null && isStateless(headerVersion) && message.id !== undefined)
      throw new RpcError(400, {
        code: RpcErrorCode.invalidParams,
        message: `params._meta must contain ${versionKey} and ${capabilitiesKey}.`,
      })
    requireNegotiatedVersion(headerVersion)
    return 'greeted'
  }
  const envelope = Envelope.safeParse(meta)
  if (!envelope.success)
    throw new RpcError(400, {
      code: RpcErrorCode.invalidParams,
      message: `params._meta must contain ${versionKey}, a string, and ${capabilitiesKey}, an object.`,
    })
  const version = String(envelope.data[versionKey])
  if (!isStateless(version)) throw unsupported(version)
  if (message.id !== undefined) requireHeaders(message, version, headers)
  return 'stateless'
}

const isStateless = (version: string) => statelessVersions.includes(version)

/** Rejects an unknown version. Clients from before the header existed do not send it. */
function requireNegotiatedVersion(version: string | null): void {
  if (version !== null && !negotiatedVersions.includes(version) && !isStateless(version))
    throw unsupported(version)
}

function unsupported(requested: string): RpcError {
  return new RpcError(400, {
    code: RpcErrorCode.unsupportedVersion,
    message: `Protocol version ${requested.slice(0, 50)} is not supported.`,
    data: { supported: [...statelessVersions, ...negotiatedVersions], requested: requested.slice(0, 50) },
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
        message: `The header ${name} must match the body.`,
      })
  }
}

/** Decodes a value that is not plain header text, which is sent as `=?base64?…?=`. */
function decoded(value: string | null): string | null {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value ?? '') ?? []
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8')
}

function textOf(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? value.trim() : null
}
