import { replaceVariables } from '../../../data/template-variables'
import type { ToolDraft } from './tool-draft'

/** Validation errors by API path within a tool: `request.url`, `name`, … */
export type FieldErrors = Readonly<Record<string, string>>

const placeholder = /\{([A-Za-z0-9_-]{1,64})\}/g

export function isWebAddress(text: string): boolean {
  return /^https?:$/.test(parseAddress(text)?.protocol ?? '')
}

function parseAddress(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** Replaces the arguments and variables of a URL. */
const fillUrl = (url: string, value: string): string =>
  replaceVariables(url, () => value).replaceAll(placeholder, value)

/** Returns the first argument in a URL that is not a parameter. */
export function looseArgument({ request, parameters }: ToolDraft & { kind: 'http' }): string | undefined {
  const declared = Object.keys(parameters.properties ?? {})
  return [...replaceVariables(request.url, () => '').matchAll(placeholder)]
    .map(([, name = '']) => name)
    .find((name) => !declared.includes(name))
}

/** Returns the error of a field or of a part of it: `request.headers.X-Key` is part of `request.headers`. */
export function errorBelow(errors: FieldErrors, field: string): string | undefined {
  return Object.entries(errors).find(([path]) => path.startsWith(field))?.[1]
}

/** Client-side validation. The service checks more, for example forbidden hosts. */
export function validateTool(tool: ToolDraft, others: readonly ToolDraft[]): FieldErrors {
  const found: Record<string, string> = {}
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(tool.name)) found.name = 'Must be 1 to 64 letters, digits, _ or -'
  else if (others.some(({ name }) => name === tool.name))
    found.name = `Another tool is already named ${tool.name}`
  if (!Number.isInteger(tool.timeoutSeconds) || tool.timeoutSeconds < 1 || tool.timeoutSeconds > 600)
    found.timeoutSeconds = 'Must be an integer from 1 to 600'
  if (tool.imageUrl !== null && !isWebAddress(tool.imageUrl))
    found.imageUrl = 'Must be an absolute http or https URL'
  if (tool.button !== null && tool.button.label.trim() === '') found['button.label'] = 'Required'
  if (tool.button !== null && !isWebAddress(tool.button.link))
    found['button.link'] = 'Must be an absolute http or https URL'
  if (tool.kind === 'http') Object.assign(found, validateHttpTool(tool))
  if (tool.kind === 'mcp') Object.assign(found, validateMcpTool(tool))
  return found
}

function validateHttpTool(tool: ToolDraft & { kind: 'http' }): FieldErrors {
  const { description, request } = tool
  const loose = looseArgument(tool)
  const url = urlError(request.url) ?? (loose && `{${loose}} is not a parameter`)
  return {
    ...(description.trim() === '' && { description: 'Description is required' }),
    ...(url !== undefined && { 'request.url': url }),
  }
}

function urlError(url: string): string | undefined {
  const plain = fillUrl(url, 'x')
  if (/[{}]/.test(plain)) return 'Unmatched brace. Use {name} for arguments and {{name}} for variables.'
  if (!isWebAddress(plain)) return 'Must be an absolute http or https URL'
  if (originOf(fillUrl(url, 'y')) !== originOf(plain)) return 'Must not contain a placeholder in the host'
  if (url.includes('#')) return 'Must not contain a fragment'
  return undefined
}

function originOf(url: string): string | null {
  return parseAddress(url)?.origin ?? null
}

function validateMcpTool({ server: { url, name } }: ToolDraft & { kind: 'mcp' }): FieldErrors {
  if (name !== null)
    return name.trim() === '' ? { 'server.name': 'Enter the name of a preconfigured server' } : {}
  return isWebAddress(url ?? '') ? {} : { 'server.url': 'Must be an absolute http or https URL' }
}
