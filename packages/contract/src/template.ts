/** The names of variables in the templates of an agent: `{{name}}`, `{{name|default}}`, and the built-in ones. */
const variable = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63}(?:\.[A-Za-z]{1,20})?)\s*(?:\|([^{}]*))?\}\}/g

/** The name of a variable that callers can set. */
export const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

/** Variables that the service provides. */
export const builtInVariables = ['endUser.externalId', 'endUser.name', 'conversation.id', 'now'] as const

/** A variable in a template. */
export interface TemplateVariable {
  readonly name: string
  /** The text after `|`, or null if there is none. */
  readonly fallback: string | null
}

export function variablesOf(template: string): TemplateVariable[] {
  return [...template.matchAll(variable)].map(([, name = '', fallback]) => ({
    name,
    fallback: fallback ?? null,
  }))
}

/**
 * Replaces each variable once. Inserted values are not searched for variables. `fillRest` fills the text between the
 * variables.
 */
export function replaceVariables(
  template: string,
  toText: (variable: TemplateVariable) => string,
  fillRest: (text: string) => string = (text) => text,
): string {
  let filled = ''
  let end = 0
  for (const match of template.matchAll(variable)) {
    const [whole, name = '', fallback] = match
    filled += fillRest(template.slice(end, match.index)) + toText({ name, fallback: fallback ?? null })
    end = match.index + whole.length
  }
  return filled + fillRest(template.slice(end))
}
