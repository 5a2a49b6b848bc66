import { type AgentTool, type AgentToolInput, maxToolHeaders } from '@parley/contract'
import type { AgentRecord, ToolSecrets } from '../../ports/agent-stores.js'
import type { Cipher } from '../../ports/secrets.js'
import { invalidRequest } from '../domain-error.js'

type Headers = Readonly<Record<string, string>>

export interface StoredTools {
  readonly tools: AgentTool[]
  readonly toolSecrets: ToolSecrets
}

/**
 * Extracts the header values from the tools and seals them. An omitted value is preserved if tool and header
 * have the same names as before. Null removes it. If a tool's address changes, its values are removed,
 * because a secret is only sent to the address that it was entered for.
 */
export function storeTools(
  current: Pick<AgentRecord, 'id' | 'organizationId' | 'tools' | 'toolSecrets'>,
  inputs: readonly AgentToolInput[],
  cipher: Cipher,
): StoredTools {
  const secrets = new Map<string, Headers>()
  const tools = inputs.map((input, index): AgentTool => {
    if (input.kind === 'builtin') return input
    const previous = current.tools.find((tool) => tool.name === input.name)
    const sealedBefore =
      previous && toolAddress(previous) === toolAddress(input) ? (current.toolSecrets[input.name] ?? {}) : {}
    const context = (header: string) => toolSecretContext(current, input.name, header)
    const sent = (input.kind === 'http' ? input.request.headers : input.server.headers) ?? {}
    const headers = mergeHeaders(sealedBefore, sent, {
      seal: (name, value) => cipher.seal(value, context(name)),
      isSealed: (name, sealed, value) => isSealed(cipher, { sealed, context: context(name) }, value),
    })
    const names = Object.keys(headers).sort()
    refuseTooMany(names, `tools[${index}].${input.kind === 'http' ? 'request' : 'server'}.headers`)
    if (names.length > 0) secrets.set(input.name, headers)
    return withHeaderNames(input, names)
  })
  return { tools, toolSecrets: Object.fromEntries(secrets) }
}

/**
 * The sealing context of a header value. The value cannot be opened in another context. Header names are
 * case-insensitive.
 */
export function toolSecretContext(
  agent: { readonly organizationId: string; readonly id: string },
  tool: string,
  header: string,
): string {
  return `agent/${agent.organizationId}/${agent.id}/${tool}/${header.toLowerCase()}`
}

/** Returns the decrypted header values of one tool. */
export function headersOf(
  agent: Pick<AgentRecord, 'id' | 'organizationId' | 'toolSecrets'>,
  toolName: string,
  cipher: Cipher,
): Headers {
  const sealed = Object.entries(agent.toolSecrets[toolName] ?? {})
  return Object.fromEntries(
    sealed.map(([header, value]) => [header, cipher.open(value, toolSecretContext(agent, toolName, header))]),
  )
}

/**
 * Returns the values sealed with the current secret. Values that are already sealed with it are returned
 * unchanged.
 */
export function resealToolSecrets(
  cipher: Cipher,
  agent: Pick<AgentRecord, 'id' | 'organizationId' | 'toolSecrets'>,
): ToolSecrets {
  const tools = Object.entries(agent.toolSecrets).map(([tool, headers]) => {
    const values = Object.entries(headers).map(
      ([header, sealed]) =>
        [header, resealed(cipher, sealed, toolSecretContext(agent, tool, header))] as const,
    )
    return [tool, Object.fromEntries(values)] as const
  })
  return Object.fromEntries(tools)
}

function mergeHeaders(
  sealedBefore: Headers,
  sent: Readonly<Record<string, string | null>>,
  { seal, isSealed }: HeaderSeals,
): Headers {
  const merged = new Map(Object.entries(sealedBefore))
  for (const [name, value] of Object.entries(sent)) {
    // An unchanged value keeps its sealed text, so that it does not count as a change.
    const same = merged.get(name)
    if (same !== undefined && value !== null && isSealed(name, same, value)) continue
    for (const known of [...merged.keys()])
      if (known.toLowerCase() === name.toLowerCase()) merged.delete(known)
    if (value !== null) merged.set(name, seal(name, value))
  }
  return Object.fromEntries(merged)
}

interface HeaderSeals {
  readonly seal: (name: string, value: string) => string
  readonly isSealed: (name: string, sealed: string, value: string) => boolean
}

/**
 * Returns whether the sealed value equals this value and is sealed with the current secret. Returns false if
 * it cannot be opened.
 */
function isSealed(
  cipher: Cipher,
  { sealed, context }: { readonly sealed: string; readonly context: string },
  value: string,
): boolean {
  try {
    return cipher.isCurrent(sealed, context) && cipher.open(sealed, context) === value
  } catch {
    return false
  }
}

/**
 * The contract limits only the headers in one request. This check includes preserved headers, because
 * otherwise a tool could accumulate any number of them.
 */
function refuseTooMany(headerNames: readonly string[], path: string): void {
  if (headerNames.length > maxToolHeaders)
    throw invalidRequest([{ path, message: `must have at most ${maxToolHeaders} headers` }])
}

function withHeaderNames(
  input: Exclude<AgentToolInput, { kind: 'builtin' }>,
  headerNames: string[],
): AgentTool {
  if (input.kind === 'http') {
    const { headers: _, ...request } = input.request
    return { ...input, request: { ...request, headerNames } }
  }
  const { headers: _, ...server } = input.server
  return { ...input, server: { ...server, headerNames } }
}

/** Returns a tool's address, or the name of the operator's server. */
export function toolAddress(tool: AgentTool | AgentToolInput): string {
  if (tool.kind === 'http') return `http ${tool.request.url}`
  if (tool.kind === 'mcp') return `mcp ${tool.server.url ?? ''} ${tool.server.name ?? ''}`
  return tool.kind
}

/** Seals a value with the current secret. Returns it unchanged if it is already sealed with that secret. */
export function resealed(cipher: Cipher, sealed: string, context: string): string {
  return cipher.isCurrent(sealed, context) ? sealed : cipher.seal(cipher.open(sealed, context), context)
}
