import type { Agent } from '@parley/sdk'

export type AgentVariable = Agent['variables'][number]

/** Variables in the templates of an agent: `{{name}}`, `{{name|default}}`, and the built-in ones. */
const variable = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63}(?:\.[A-Za-z]{1,20})?)\s*(?:\|([^{}]*))?\}\}/g

export const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

const builtInVariables: readonly string[] = ['endUser.externalId', 'endUser.name', 'conversation.id', 'now']

/** Replaces each variable, except those for which `toText` returns undefined. */
export function replaceVariables(
  template: string,
  toText: (name: string, fallback: string | undefined) => string | undefined,
): string {
  return template.replaceAll(variable, (whole, name: string, fallback?: string) => {
    return toText(name, fallback) ?? whole
  })
}

/** Returns the names of variables in a template that have no value: not declared, built in or with a default. */
export function undeclaredIn(template: string, declared: readonly AgentVariable[]): readonly string[] {
  const names = [...template.matchAll(variable)]
    .filter(([, , fallback]) => fallback === undefined)
    .map(([, name = '']) => name)
  return [...new Set(names)].filter(
    (name) => !builtInVariables.includes(name) && declared.every((each) => each.name !== name),
  )
}

/** Returns the required variables that have neither a value nor a default. */
export function missingVariables(
  declared: readonly AgentVariable[],
  values: Readonly<Record<string, string>>,
): readonly AgentVariable[] {
  return declared.filter((each) => each.required && each.default === null && !values[each.name])
}
