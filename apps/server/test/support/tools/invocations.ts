import { AgentTool } from '@parley/contract'
import type { HttpTool, ToolInvocation } from '#server/ports/tool-executor.js'

/** A tool call with these arguments and a generous timeout. */
export function invocationOf(
  given: Readonly<Record<string, unknown>> = {},
  changes: Partial<ToolInvocation> = {},
): ToolInvocation {
  return {
    ...onlyArguments(given),
    headers: {},
    idempotencyKey: 'key-of-the-call',
    endUserId: null,
    timeoutMilliseconds: 10_000,
    signal: new AbortController().signal,
    onSent: () => undefined,
    ...changes,
  }
}

/** The values of a call whose tool has no variables. */
export function onlyArguments(
  given: Readonly<Record<string, unknown>>,
): Pick<ToolInvocation, 'arguments' | 'variables'> {
  return { arguments: given, variables: () => '' }
}

/** An HTTP tool as stored, with this request. */
export function httpTool(request: Partial<HttpTool['request']>): HttpTool {
  const tool = AgentTool.parse({
    kind: 'http',
    name: 'tool',
    description: 'A tool.',
    request: { method: 'GET', url: 'https://a.test/', headerNames: [], ...request },
  })
  if (tool.kind !== 'http') throw new Error('The tool must be an HTTP tool.')
  return tool
}
