import { replaceVariables } from '@parley/contract'
import type { VariableValues } from '../../ports/tool-executor.js'

/** The arguments of a call, for placeholders. */
export type Arguments = Readonly<Record<string, unknown>>

const placeholder = /\{([A-Za-z0-9_-]{1,64})\}/g
const onePlaceholder = /^\{([A-Za-z0-9_-]{1,64})\}$/

/** Returns the argument, or undefined if the model omitted it or passed null. */
export function argumentOf(given: Arguments, name: string): unknown {
  return (Object.hasOwn(given, name) ? given[name] : undefined) ?? undefined
}

/** Returns the name if the text is exactly one placeholder. */
export function soleName(text: string): string | null {
  return onePlaceholder.exec(text)?.[1] ?? null
}

/** The values for a tool's templates: the model's arguments and the conversation's variables. */
export interface Values {
  readonly arguments: Arguments
  readonly variables: VariableValues
}

/** Replaces each placeholder and variable once. Inserted values are not searched again. */
export function fillIn(text: string, argument: (name: string) => string, variable: VariableValues): string {
  const fillArguments = (part: string) =>
    part.replaceAll(placeholder, (_whole, name: string) => argument(name))
  return replaceVariables(text, variable, fillArguments)
}

/** Formats an argument for use inside a text: text unchanged, everything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
