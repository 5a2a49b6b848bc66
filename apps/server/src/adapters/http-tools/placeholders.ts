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

/** Replaces each placeholder once. Inserted values are not searched for placeholders. */
export function fillIn(text: string, toText: (name: string) => string): string {
  return text.replaceAll(placeholder, (_whole, name: string) => toText(name))
}

/** Formats an argument inside a text: text unchanged, everything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
