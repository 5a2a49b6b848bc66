import type { AgentInput, AgentToolInput } from '@parley/contract'
import type { AgentTemplate } from './template-values.js'

/** Returns all texts of an agent in which variables are replaced. */
export function templatesOf({
  systemMessage,
  firstMessage,
  realtimeFallbacks,
  tools,
}: AgentInput): AgentTemplate[] {
  return [
    { path: 'systemMessage', template: systemMessage },
    { path: 'firstMessage', template: firstMessage ?? '' },
    ...realtimeFallbacks.map((fallback, index) => ({
      path: `realtimeFallbacks[${index}].firstMessage`,
      template: fallback.firstMessage ?? '',
    })),
    ...tools.flatMap((tool, index) =>
      toolTemplates(tool).map(({ path, template }) => ({ path: `tools[${index}].${path}`, template })),
    ),
  ]
}

function toolTemplates(tool: AgentToolInput): AgentTemplate[] {
  if (tool.kind === 'builtin') return []
  if (tool.kind === 'mcp') return headerTemplates('server.headers', tool.server.headers)
  const { url, query, body, headers } = tool.request
  return [
    { path: 'request.url', template: url },
    ...Object.entries(query).map(([name, template]) => ({ path: `request.query.${name}`, template })),
    ...textsIn(body).map((template) => ({ path: 'request.body', template })),
    ...headerTemplates('request.headers', headers),
  ]
}

function headerTemplates(
  path: string,
  headers: Readonly<Record<string, string | null>> | undefined,
): AgentTemplate[] {
  return Object.entries(headers ?? {}).map(([name, value]) => ({
    path: `${path}.${name}`,
    template: value ?? '',
  }))
}

/** Returns the strings of a JSON value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
