import { undeclaredIn, variableName } from '../../data/template-variables'
import { isValidRetention } from '../../parts/retention-preview'
import type { AgentDraft } from './agent-draft'
import { isWebAddress, validateTool } from './tools/tool-errors'

/** Validation errors by API path: `name`, `tools[0].request.url`, … */
export type FieldErrors = Readonly<Record<string, string>>

const maxLengths = { name: 200, description: 2000, systemMessage: 100_000, icon: 200, voice: 100 } as const

export function validateAgent(draft: AgentDraft): FieldErrors {
  const found: Record<string, string> = {}
  for (const [field, length] of Object.entries(maxLengths)) {
    const value = Object.entries(draft).find(([name]) => name === field)?.[1]
    if (typeof value === 'string' && value.length > length)
      found[field] =
        `Must be at most ${length.toLocaleString()} characters, currently ${value.length.toLocaleString()}`
  }
  if (draft.name.trim() === '') found.name = 'Name is required'
  if (draft.imageUrl !== null && !isWebAddress(draft.imageUrl))
    found.imageUrl = 'Must be an absolute http or https URL'
  const { conversationRetentionDays: days } = draft
  if (days !== null && !isValidRetention(days))
    found.conversationRetentionDays = 'Must be from 1 to 36,500 days'
  for (const [name, value] of Object.entries(draft.endUserLimits))
    if (typeof value === 'number' && !(value > 0)) found[`endUserLimits.${name}`] = 'Must be more than 0'
  Object.assign(found, validateVariables(draft))
  draft.tools.forEach((tool, index) => {
    const before = draft.tools.slice(0, index)
    for (const [path, message] of Object.entries(validateTool(tool, before)))
      found[`tools[${index}].${path}`] = message
  })
  return found
}

function validateVariables({ variables, systemMessage, firstMessage }: AgentDraft): FieldErrors {
  const found: Record<string, string> = {}
  variables.forEach(({ name }, index) => {
    const path = `variables[${index}].name`
    if (!variableName.test(name)) found[path] = 'Must be a letter or _, then letters, digits or _'
    else if (variables.slice(0, index).some((other) => other.name === name))
      found[path] = `Another variable is already named ${name}`
  })
  for (const [field, text] of Object.entries({ systemMessage, firstMessage })) {
    const [name] = undeclaredIn(text ?? '', variables)
    if (name !== undefined)
      found[field] = `{{${name}}} is not declared under Variables and has no default such as {{${name}|text}}`
  }
  return found
}

/** The errors of one tool, by path within the tool. */
export function toolErrors(errors: FieldErrors, index: number): FieldErrors {
  const start = `tools[${index}].`
  const own = Object.entries(errors).filter(([path]) => path.startsWith(start))
  return Object.fromEntries(own.map(([path, message]) => [path.slice(start.length), message]))
}

export function countIn(errors: FieldErrors, isInside: (path: string) => boolean): number {
  return Object.keys(errors).filter(isInside).length
}
