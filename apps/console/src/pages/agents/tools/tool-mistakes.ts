import type { ToolDraft } from './tool-draft'

/** Validation errors by API path within a tool: `request.url`, `name`, … */
export type Mistakes = Readonly<Record<string, string>>

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

const placeholdersOf = (url: string): string[] => [...url.matchAll(placeholder)].map(([, name = '']) => name)

/** Returns the error of a field or of a part of it: `request.headers.X-Key` is part of `request.headers`. */
export function mistakeUnder(mistakes: Mistakes, field: string): string | undefined {
  return Object.entries(mistakes).find(([path]) => path.startsWith(field))?.[1]
}

/** Client-side validation. The service checks more, for example forbidden hosts. */
export function toolMistakes(tool: ToolDraft, others: readonly ToolDraft[]): Mistakes {
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
  if (tool.kind === 'http') Object.assign(found, httpMistakes(tool))
  if (tool.kind === 'mcp') Object.assign(found, mcpMistakes(tool))
  return found
}

function httpMistakes({ description, request, parameters }: ToolDraft & { kind: 'http' }): Mistakes {
  const declared = Object.keys(parameters.properties ?? {})
  const loose = placeholdersOf(request.url).find((name) => !declared.includes(name))
  const url = addressMistake(request.url) ?? (loose && `{${loose}} is not a parameter`)
  return {
    ...(description.trim() === '' && { description: 'Description is required' }),
    ...(url !== undefined && { 'request.url': url }),
  }
}

function addressMistake(url: string): string | undefined {
  const plain = url.replaceAll(placeholder, 'x')
  if (/[{}]/.test(plain)) return 'Unmatched brace. Use {name} for placeholders.'
  if (!isWebAddress(plain)) return 'Must be an absolute http or https URL'
  if (originOf(url.replaceAll(placeholder, 'y')) !== originOf(plain))
    return 'Must not contain a placeholder in the host'
  if (url.includes('#')) return 'Must not contain a fragment'
  return undefined
}

function originOf(url: string): string | null {
  return parseAddress(url)?.origin ?? null
}

function mcpMistakes({ server: { url, name } }: ToolDraft & { kind: 'mcp' }): Mistakes {
  if (name !== null)
    return name.trim() === '' ? { 'server.name': 'Enter the name of a preconfigured server' } : {}
  return isWebAddress(url ?? '') ? {} : { 'server.url': 'Must be an absolute http or https URL' }
}
